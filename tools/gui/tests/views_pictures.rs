//! Pictures of positions: exported ones, small ones, and their colours.

mod support;

use serde_json::json;
use support::boards::{assert_no_errors, number, open, states};

#[tokio::test(flavor = "multi_thread")]
async fn positions_and_games_are_exported() {
    let Some((_server, _browser, page)) = open().await else { return };
    page.eval("import(new URL('export.js', location.href).href).then((module) => { window.exported = module; })").await;
    for (game, moves) in [
        ("connect4 6 7 4", "1 2 1 2 1 2 1"),
        ("boom", "6 3 6 4 4 4 2 4 4 7 3 6 boom"),
        ("wali", "b2 c2 b4"),
        ("kalah 6 4", "3 6 2 5 1"),
    ] {
        let all = states(game, "startpos", moves);
        let last = all.last().unwrap();
        let text = page.eval(&format!("exported.svgOf({last})")).await;
        let text = text.as_str().unwrap();
        assert!(text.starts_with("<svg xmlns") && !text.contains("var("), "{game}: {text}");
        assert!(!text.contains("NaN") && !text.contains("undefined"), "{game}: {text}");
        let made = page
            .eval(&format!(
                "(async () => {{
                   const states = {};
                   const last = states.at(-1);
                   const progress = [];
                   const gif = await exported.animation(null, states, (share) => progress.push(share));
                   const decoder = new ImageDecoder({{ data: await gif.arrayBuffer(), type: gif.type }});
                   await decoder.tracks.ready;
                   const frames = decoder.tracks.selectedTrack.frameCount;
                   const {{ image }} = await decoder.decode({{ frameIndex: frames - 1 }});
                   const png = await exported.picture(null, last, 'png');
                   const still = await createImageBitmap(png);
                   const pixels = (source) => {{
                     const canvas = new OffscreenCanvas(240, 200);
                     const context = canvas.getContext('2d');
                     context.drawImage(source, 0, 0, 240, 200);
                     return context.getImageData(0, 0, 240, 200).data;
                   }};
                   const [film, shot] = [pixels(image), pixels(still)];
                   const difference = film.reduce((sum, value, at) => sum + Math.abs(value - shot[at]), 0) / film.length;
                   const colours = new Set(Array.from({{ length: 48000 }}, (_, at) => film.slice(4 * at, 4 * at + 3).join())).size;
                   const svg = await exported.picture(null, last, 'svg');
                   return {{ frames, size: gif.size, width: still.width, difference, colours, progress: progress.at(-1), kinds: [gif.type, png.type, svg.type] }};
                 }})()",
                json!(all)
            ))
            .await;
        assert_eq!(made["frames"], all.len(), "{game}: {made}");
        assert_eq!(made["width"], 1200, "{game}: {made}");
        assert_eq!(made["progress"], 1, "{game}: {made}");
        assert_eq!(made["kinds"], json!(["image/gif", "image/png", "image/svg+xml"]));
        assert!(number(&made["difference"]) < 6.0, "{game}: {made}");
        assert!(number(&made["colours"]) > 20.0, "{game}: {made}");
        assert!(number(&made["size"]) < 250_000.0, "{game}: {made}");
    }
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_and_pieces_have_contrast() {
    let Some((_server, _browser, page)) = open().await else { return };
    for scheme in ["light", "dark"] {
        page.eval(&format!("document.documentElement.style.colorScheme = '{scheme}'")).await;
        for (front, back, least) in [
            ("plate-text", "plate", 4.5),
            ("wood-text", "wood", 4.5),
            ("wood-text", "wood-light", 4.5),
            ("p1-dark", "hole", if scheme == "light" { 3.0 } else { 1.0 }),
            ("p1", "hole", 3.0),
            ("p2-dark", "hole", 3.0),
            ("p1", "p2", 2.5),
            ("p1-dark", "p1", 1.5),
            ("p2-dark", "p2", 2.0),
            ("mark", "mark-edge", 4.5),
        ] {
            let contrast = page
                .eval(&format!(
                    "(() => {{
                       const probe = document.body.appendChild(document.createElement('i'));
                       const luminance = (name) => {{
                         probe.style.color = `var(--${{name}})`;
                         const parts = getComputedStyle(probe).color.match(/[\\d.]+/g).map((part) => part / 255);
                         const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
                         return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                       }};
                       const [low, high] = [luminance('{front}'), luminance('{back}')].sort((one, two) => one - two);
                       probe.remove();
                       return (high + 0.05) / (low + 0.05);
                     }})()"
                ))
                .await;
            assert!(number(&contrast) >= least, "{scheme}: {front} on {back}: {contrast}");
        }
    }
    assert_no_errors(&page);
}

#[tokio::test(flavor = "multi_thread")]
async fn small_pictures_are_drawn_as_the_boards_are() {
    let Some((_server, _browser, page)) = open().await else { return };
    let made = page
        .eval(
            "import(new URL('views/pictures.js', location.href).href).then(({ gridPicture, pitsPicture }) => [
               gridPicture(['..a', '142'], { line: [[0, 0], [1, 2]], arrow: [[0, 0], [1, 0]], ring: [[0, 1]] }),
               gridPicture(['1.2', '.b.'], { wood: true, cross: [[0, 2]] }),
               pitsPicture([4, 4], [0, 5], [1, 2], { marked: ['u0', 'l1'], store: true }),
             ].map((picture) => picture.outerHTML))",
        )
        .await;
    for text in made.as_array().unwrap() {
        let text = text.as_str().unwrap();
        assert!(text.starts_with("<svg") && text.contains("aria-hidden"), "{text}");
        assert!(!text.contains("NaN") && !text.contains("undefined"), "{text}");
    }
    assert_eq!(made[0].as_str().unwrap().matches("-bomb\"").count(), 3, "defined twice, used once");
    assert_no_errors(&page);
}

//! Screenshots as PNG with a palette, which is a fraction of the size.

use std::io::Cursor;

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

/// Reduces a PNG to 256 colours.
pub fn quantize(data: &[u8]) -> Vec<u8> {
    let mut decoder = Decoder::new(Cursor::new(data));
    decoder.set_transformations(Transformations::ALPHA);
    let mut reader = decoder.read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("not too large")];
    let info = reader.next_frame(&mut pixels).expect("a PNG");
    assert_eq!(info.color_type, ColorType::Rgba);
    let palette = NeuQuant::new(3, 256, &pixels);
    let indices: Vec<u8> =
        pixels.chunks_exact(4).map(|pixel| palette.index_of(pixel) as u8).collect();
    let mut written = Vec::new();
    let mut encoder = Encoder::new(&mut written, info.width, info.height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.color_map_rgb());
    encoder.set_compression(Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().expect("writing to memory");
    writer.write_image_data(&indices).expect("writing to memory");
    writer.finish().expect("writing to memory");
    written
}

//! Screenshots: as PNG with a palette, which is a fraction of the size, and reduced, to compare them.

use std::io::Cursor;

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Transformations};

/// The pixels of a picture, row by row, as red, green, blue and alpha.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 4]>,
}

impl Picture {
    /// Reads a PNG.
    pub fn read(data: &[u8]) -> Picture {
        let mut decoder = Decoder::new(Cursor::new(data));
        decoder.set_transformations(Transformations::ALPHA | Transformations::EXPAND);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("not too large")];
        let info = reader.next_frame(&mut bytes).expect("a PNG");
        assert_eq!(info.color_type, ColorType::Rgba);
        Picture {
            width: info.width as usize,
            height: info.height as usize,
            pixels: bytes.as_chunks().0.to_vec(),
        }
    }

    /// A part of the picture.
    pub fn part(&self, left: usize, top: usize, width: usize, height: usize) -> Picture {
        let rows = (top..top + height).map(|row| row * self.width + left);
        let pixels = rows.flat_map(|from| self.pixels[from..from + width].iter().copied());
        Picture { width, height, pixels: pixels.collect() }
    }

    /// The number of pixels that differ from those of `other`, a picture of the same size, by more than
    /// `tolerance` in one of the colours.
    pub fn different(&self, other: &Picture, tolerance: u8) -> usize {
        assert_eq!((self.width, self.height), (other.width, other.height));
        let differ = |(one, two): &(&[u8; 4], &[u8; 4])| {
            one.iter().zip(*two).any(|(one, two)| one.abs_diff(*two) > tolerance)
        };
        self.pixels.iter().zip(&other.pixels).filter(differ).count()
    }

    /// The picture with this many times fewer pixels in each direction, each of them the mean of a square.
    pub fn reduced(&self, factor: usize) -> Picture {
        let (width, height) = (self.width / factor, self.height / factor);
        let mean = |at: usize| {
            let square = self.part(at % width * factor, at / width * factor, factor, factor);
            let sum =
                |part| square.pixels.iter().map(|pixel| usize::from(pixel[part])).sum::<usize>();
            [0, 1, 2, 3].map(|part| (sum(part) / square.pixels.len()) as u8)
        };
        Picture { width, height, pixels: (0..width * height).map(mean).collect() }
    }

    /// A PNG with a palette of 256 colours.
    pub fn quantized(&self) -> Vec<u8> {
        let pixels = self.pixels.as_flattened();
        let palette = NeuQuant::new(1, 256, pixels);
        let indices: Vec<u8> =
            self.pixels.iter().map(|pixel| palette.index_of(pixel) as u8).collect();
        let mut written = Vec::new();
        let mut encoder = Encoder::new(&mut written, self.width as u32, self.height as u32);
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
}

/// Reduces a PNG to 256 colours.
pub fn quantize(data: &[u8]) -> Vec<u8> {
    Picture::read(data).quantized()
}

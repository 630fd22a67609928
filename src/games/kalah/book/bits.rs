//! Numbers of any width in a sequence of bits: plain, in unary, and in the code of Rice.

/// Most low bits of a number in the code of Rice.
pub const MOST_LOW_BITS: u32 = 48;

/// Bits being written.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// Bits written.
    length: usize,
}

impl BitWriter {
    fn bit(&mut self, bit: bool) {
        if self.length.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.length % 8);
        }
        self.length += 1;
    }

    /// The lowest `width` bits of a number.
    pub fn bits(&mut self, number: u64, width: u32) {
        (0..width).for_each(|place| self.bit(number >> place & 1 == 1));
    }

    /// A number in unary: that many ones, then a zero.
    pub fn unary(&mut self, number: u64) {
        (0..number).for_each(|_| self.bit(true));
        self.bit(false);
    }

    /// A number as its lowest `low_bits` bits and the rest in unary.
    pub fn rice(&mut self, number: u64, low_bits: u32) {
        self.unary(number >> low_bits);
        self.bits(number, low_bits);
    }

    /// All bits, filled up with zeros to whole bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The length of a number in the code of Rice.
pub fn rice_length(number: u64, low_bits: u32) -> u64 {
    (number >> low_bits) + 1 + u64::from(low_bits)
}

/// Bits being read. Every read is `None` after the last bit.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> BitReader<'a> {
    /// Reads from the first bit.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, place: 0 }
    }

    /// How many bits are left.
    pub fn left(&self) -> usize {
        8 * self.bytes.len() - self.place
    }

    /// The next 56 bits or more; zeros after the last one.
    fn peek(&self) -> u64 {
        let rest = &self.bytes[self.place / 8..];
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        };
        word >> (self.place % 8)
    }

    fn skip(&mut self, bits: usize) -> Option<()> {
        self.place = self.place.checked_add(bits).filter(|&place| place <= 8 * self.bytes.len())?;
        Some(())
    }

    /// A number of `width` bits, at most [`MOST_LOW_BITS`].
    pub fn bits(&mut self, width: u32) -> Option<u64> {
        let number = self.peek() & ((1 << width) - 1);
        self.skip(width as usize)?;
        Some(number)
    }

    /// A number in unary.
    pub fn unary(&mut self) -> Option<u64> {
        /// As many bits as [`BitReader::peek`] has for certain.
        const STEP: u32 = 56;
        let mut number = 0;
        loop {
            let ones = self.peek().trailing_ones().min(STEP);
            number += u64::from(ones);
            if ones < STEP {
                self.skip(ones as usize + 1)?;
                return Some(number);
            }
            self.skip(STEP as usize)?;
        }
    }

    /// A number in the code of Rice; `None` also if it exceeds 63 bits.
    pub fn rice(&mut self, low_bits: u32) -> Option<u64> {
        let high = self.unary()?;
        let low = self.bits(low_bits)?;
        (high < 1 << (63 - low_bits)).then_some(high << low_bits | low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds_read_back() {
        let numbers = [0, 1, 2, 7, 55, 56, 57, 113, 200, 1000];
        let mut writer = BitWriter::default();
        let mut lengths = 0;
        for number in numbers {
            writer.bits(number, 10);
            writer.unary(number);
            for low_bits in [0, 3, 10, MOST_LOW_BITS] {
                let before = writer.length;
                writer.rice(number, low_bits);
                assert_eq!(rice_length(number, low_bits), (writer.length - before) as u64);
            }
            lengths = writer.length;
        }
        let bytes = writer.into_bytes();
        let mut reader = BitReader::new(&bytes);
        for number in numbers {
            assert_eq!(reader.bits(10), Some(number));
            assert_eq!(reader.unary(), Some(number));
            for low_bits in [0, 3, 10, MOST_LOW_BITS] {
                assert_eq!(reader.rice(low_bits), Some(number));
            }
        }
        assert_eq!(reader.left(), 8 * bytes.len() - lengths);
    }

    #[test]
    fn nothing_is_read_beyond_the_end() {
        let ones = [0xFF; 9];
        assert_eq!(BitReader::new(&ones).unary(), None);
        assert_eq!(BitReader::new(&[]).bits(1), None);
        assert_eq!(BitReader::new(&[1]).bits(9), None);
        assert_eq!(BitReader::new(&[1]).bits(8), Some(1));
        let mut large = vec![0xFF; 5000];
        large.push(0);
        large.extend([0; 8]);
        assert_eq!(BitReader::new(&large).rice(48), None, "more than 63 bits");
    }
}

//! Pipes where the system cannot wait for one and for other things too: a thread reads, another writes.

use std::io::{self, Read, Write};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::thread;
use std::time::{Duration, Instant};

use super::Woken;
use crate::cancel::CancelToken;

/// Bytes read at a time.
const CHUNK: usize = 1 << 14;
/// Chunks that wait for a reader; then the engine has to wait too.
const MAX_CHUNKS: usize = 64;
/// Writes that wait for an engine that does not read.
const MAX_WRITES: usize = 16;
/// How often a waiting thread looks whether it is cancelled.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);
/// How often a writing thread looks whether there is room.
const RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// The stdin of an engine.
pub struct InputPipe {
    /// Dropping it ends the thread, which closes the pipe.
    queue: SyncSender<Vec<u8>>,
}

impl InputPipe {
    /// Takes over a pipe.
    pub fn new(mut stdin: impl Write + Send + 'static) -> io::Result<InputPipe> {
        let (queue, writes) = sync_channel::<Vec<u8>>(MAX_WRITES);
        thread::Builder::new().spawn(move || {
            // If the pipe is closed, so is the queue.
            let _ = writes.iter().try_for_each(|bytes| {
                stdin.write_all(&bytes)?;
                stdin.flush()
            });
        })?;
        Ok(InputPipe { queue })
    }

    /// Queues everything. Fails with `TimedOut` if there is no room by the deadline, with `Interrupted`
    /// if the token is cancelled, otherwise if the pipe is closed.
    pub fn write_all(
        &mut self,
        bytes: &[u8],
        deadline: Instant,
        cancel: &CancelToken,
    ) -> io::Result<()> {
        let mut bytes = bytes.to_vec();
        loop {
            bytes = match self.queue.try_send(bytes) {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(_)) => {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                Err(TrySendError::Full(bytes)) => bytes,
            };
            if cancel.is_cancelled() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if Instant::now() >= deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            thread::sleep(RETRY_INTERVAL);
        }
    }
}

/// The stdout of an engine. Reading fails with `WouldBlock` while there is nothing to read.
pub struct OutputPipe {
    chunks: Receiver<Vec<u8>>,
    /// A chunk that is not read to its end; empty at the end of the output.
    current: Option<Vec<u8>>,
}

impl OutputPipe {
    /// Takes over a pipe. It always has room for what an engine writes while nobody reads.
    pub fn new(
        mut stdout: impl Read + Send + 'static,
        _is_left_alone: bool,
    ) -> io::Result<OutputPipe> {
        let (sender, chunks) = sync_channel(MAX_CHUNKS);
        thread::Builder::new().spawn(move || {
            let mut chunk = vec![0; CHUNK];
            loop {
                match stdout.read(&mut chunk) {
                    Ok(0) => return,
                    Ok(count) if sender.send(chunk[..count].to_vec()).is_ok() => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    _ => return,
                }
            }
        })?;
        Ok(OutputPipe { chunks, current: None })
    }

    /// Waits until there is something to read, the token is cancelled or the deadline has passed.
    pub fn wait(&mut self, cancel: &CancelToken, deadline: Instant) -> io::Result<Woken> {
        while self.current.is_none() {
            if cancel.is_cancelled() {
                return Ok(Woken::Cancelled);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Woken::Timeout);
            }
            self.current = match self.chunks.recv_timeout(left.min(LOOK_INTERVAL)) {
                Ok(chunk) => Some(chunk),
                Err(RecvTimeoutError::Disconnected) => Some(Vec::new()),
                Err(RecvTimeoutError::Timeout) => None,
            };
        }
        Ok(Woken::Ready)
    }
}

impl Read for OutputPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let chunk = match self.current.take() {
            Some(chunk) => chunk,
            None => match self.chunks.try_recv() {
                Ok(chunk) => chunk,
                Err(TryRecvError::Empty) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(TryRecvError::Disconnected) => Vec::new(),
            },
        };
        let count = chunk.len().min(buffer.len());
        buffer[..count].copy_from_slice(&chunk[..count]);
        if count < chunk.len() || chunk.is_empty() {
            // The end of the output stays.
            self.current = Some(chunk[count..].to_vec());
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn everything_arrives_in_order_and_the_end_stays() {
        let (reader, writer) = io::pipe().unwrap();
        let cancel = CancelToken::new().unwrap();
        let mut input = InputPipe::new(writer).unwrap();
        let mut output = OutputPipe::new(reader, false).unwrap();
        let mut buffer = [0; 7];
        assert_eq!(output.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        let sent: Vec<u8> = (0..100_000u32).map(|number| number as u8).collect();
        for part in sent.chunks(30_000) {
            input.write_all(part, soon(), &cancel).unwrap();
        }
        drop(input);
        let mut received = Vec::new();
        loop {
            assert_eq!(output.wait(&cancel, soon()).unwrap(), Woken::Ready);
            match output.read(&mut buffer).unwrap() {
                0 => break,
                count => received.extend_from_slice(&buffer[..count]),
            }
        }
        assert_eq!(received, sent);
        assert_eq!(output.read(&mut buffer).unwrap(), 0);
    }

    #[test]
    fn waits_end_at_the_deadline_and_when_cancelled() {
        let (reader, writer) = io::pipe().unwrap();
        let cancel = CancelToken::new().unwrap();
        let mut output = OutputPipe::new(reader, false).unwrap();
        let past = Instant::now();
        assert_eq!(output.wait(&cancel, past).unwrap(), Woken::Timeout);
        // Nobody reads this one.
        let (_unread, full) = io::pipe().unwrap();
        let mut input = InputPipe::new(full).unwrap();
        let error = (0..1000).find_map(|_| input.write_all(&[0; 1 << 16], past, &cancel).err());
        assert_eq!(error.unwrap().kind(), io::ErrorKind::TimedOut);
        cancel.cancel();
        assert_eq!(output.wait(&cancel, soon()).unwrap(), Woken::Cancelled);
        let error = input.write_all(&[0; 1 << 16], soon(), &cancel).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::Interrupted);
        drop(writer);
    }

    #[test]
    fn a_closed_pipe_is_noticed() {
        let (reader, writer) = io::pipe().unwrap();
        let cancel = CancelToken::new().unwrap();
        drop(reader);
        let mut input = InputPipe::new(writer).unwrap();
        let error = (0..).find_map(|_| input.write_all(b"x", soon(), &cancel).err());
        assert_eq!(error.unwrap().kind(), io::ErrorKind::BrokenPipe);
    }
}

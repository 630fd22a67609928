//! The search, compiled for newer processors.
//!
//! The search is ordinary code. Each level below compiles it once more with
//! more instructions allowed; the level is chosen at run time.
#![allow(unsafe_code)]

/// A piece of the search that is compiled for each level.
pub trait CpuTask {
    /// What it yields.
    type Output;
    /// Does it. It and all it calls must be inlined, or it is compiled for every processor.
    fn run(self) -> Self::Output;
}

/// A level of processor features. A value of the type is the proof that they are there.
pub trait Cpu: Copy + Send + Sync + Sized {
    /// Runs `task`, compiled for this level.
    fn run<T: CpuTask>(self, task: T) -> T::Output;
}

/// What the compilation target guarantees.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Cpu for Baseline {
    #[inline(never)]
    fn run<T: CpuTask>(self, task: T) -> T::Output {
        task.run()
    }
}

/// 256-bit integer vectors and the bit instructions that came with them.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The level, if this processor has it.
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        present.then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T: CpuTask>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
impl Cpu for Avx2 {
    #[inline(always)]
    fn run<T: CpuTask>(self, task: T) -> T::Output {
        // SAFETY: `self` is there, and `detect` makes one only where the processor has the
        // features.
        unsafe { run_avx2(task) }
    }
}

/// 512-bit vectors: all lanes of a fixed board at once, in half the code.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The level, if this processor has it.
    pub fn detect() -> Option<Self> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        (present && Avx2::detect().is_some()).then_some(Self(()))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512bw,avx512dq")]
fn run_avx512<T: CpuTask>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
impl Cpu for Avx512 {
    #[inline(always)]
    fn run<T: CpuTask>(self, task: T) -> T::Output {
        // SAFETY: `self` is there, and `detect` makes one only where the processor has the
        // features.
        unsafe { run_avx512(task) }
    }
}

// Implementations for the checker in Rust, written apart from the program: main NAME VECTORS [CONTROLS].
mod check;
use check::Case;
use std::env;
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

// xorshift64* (Vigna 2016)
struct Random(u64);
impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545f4914f6cdd1d) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Tokens that a row is summed over: all of them, but of one fault.
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The first token at which the running sum passes u; the last of positive weight where none does.
fn pick(weights: &[f64], u: f64) -> i64 {
    let weights = &weights[..weights.len().min(MOST.load(Relaxed))];
    let total: f64 = weights.iter().sum();
    let (mut run, mut last) = (0.0, 0);
    for (x, weight) in weights.iter().enumerate() {
        if *weight > 0.0 {
            last = x as i64;
        }
        run += weight / total;
        if u < run {
            return x as i64;
        }
    }
    last
}

fn rest(target: &[f64], draft: &[f64], weight: f64) -> Vec<f64> {
    target.iter().zip(draft).map(|(t, d)| (weight * t - d).max(0.0)).collect()
}

/// Token verification: Leviathan et al. 2023.
fn token(given: &Case, coins: &[f64], draws: &[f64]) -> Vec<i64> {
    let mut out = Vec::new();
    for (i, x) in given.drafts[0].iter().enumerate() {
        let (draft, target) = (&given.draft_rows[0][i], &given.target_rows[0][i]);
        if coins[i] >= target[*x as usize] / draft[*x as usize] {
            out.push(pick(&rest(target, draft, 1.0), draws[0]));
            return out;
        }
        out.push(*x);
    }
    out.push(pick(&given.target_rows[0][out.len()], draws[0]));
    out
}

/// Block verification: Sun et al. 2025, Algorithm 2.
fn block(given: &Case, random: &mut Random) -> Vec<i64> {
    let (drafts, mut weights, mut tau) = (&given.drafts[0], vec![1.0f64], 0);
    for i in 1..=drafts.len() {
        let x = drafts[i - 1] as usize;
        let ratio = given.target_rows[0][i - 1][x] / given.draft_rows[0][i - 1][x];
        let weight = (weights[i - 1] * ratio).min(1.0);
        weights.push(weight);
        let mut passes = weight;
        if i < drafts.len() {
            let left: f64 = rest(&given.target_rows[0][i], &given.draft_rows[0][i], weight).iter().sum();
            passes = if left > 0.0 { left / (1.0 - weight + left) } else { 0.0 };
        }
        if random.uniform() < passes {
            tau = i;
        }
    }
    let mut out = drafts[..tau].to_vec();
    let mut last = given.target_rows[0][tau].clone();
    if tau < drafts.len() {
        last = rest(&last, &given.draft_rows[0][tau], weights[tau]);
    }
    out.push(pick(&last, random.uniform()));
    out
}

fn run(name: &str, path: &str) -> Result<Vec<check::Failure>, String> {
    let mut random = Random(7);
    if name == "cut" {
        MOST.store(65536, Relaxed);
    }
    match name {
        "token" | "cut" => check::check(path, &mut check::each(|c| {
            let coins: Vec<f64> = c.drafts[0].iter().map(|_| random.uniform()).collect();
            token(c, &coins, &[random.uniform()])
        })),
        "one-coin" => check::check(path, &mut check::each(|c| {
            let coins = vec![random.uniform(); c.drafts[0].len()]; // a fault: one coin for all
            token(c, &coins, &[random.uniform()])
        })),
        "block" => check::check(path, &mut check::each(|c| block(c, &mut random))),
        "uniforms" => check::check_uniforms(path, &mut token),
        "outside" => check::check(path, &mut check::each(|c| vec![c.vocabulary])),
        "few" => check::check(path, &mut |_: &Case, _| vec![vec![]; 3]),
        _ => check::check(path, &mut check::each(|c| c.drafts[c.drafts.len()].clone())),
    }
}

fn main() {
    let given: Vec<String> = env::args().collect();
    let result = match given.get(3) {
        Some(controls) => check::missed_controls(&given[2], controls),
        None => run(&given[1], &given[2]),
    };
    match result {
        Err(error) => {
            eprintln!("{}", error);
            exit(2)
        }
        Ok(failures) => {
            println!("{}", check::report(&failures));
            exit(i32::from(!failures.is_empty()))
        }
    }
}

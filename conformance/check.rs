// SPDX-License-Identifier: Apache-2.0
//! Checks an implementation of speculative sampling against a file of conformance vectors, with the
//! standard library alone. Copy this file into your crate:
//!
//!     mod check;
//!     #[test]
//!     fn token() {
//!         let failures = check::check("token.json", &mut check::each(verify)).unwrap();
//!         assert!(failures.is_empty(), "{}", check::report(&failures));
//!     }
//!
//! `verify(&Case) -> Vec<i64>` makes one iteration: the accepted tokens and the one after them.
#![allow(dead_code)]
use std::collections::BTreeMap;
use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};

pub type Row = Vec<f64>;

/// What one decision is made from. The outer index is that of the draft: there is one of most rules.
pub struct Case {
    pub id: usize,
    pub flag: String, // what the case is for
    pub vocabulary: i64,
    pub eos: Option<i64>,           // the end-of-sequence token
    pub drafts: Vec<Vec<i64>>,      // [K][gamma]
    pub draft_rows: Vec<Vec<Row>>,  // [K][gamma][V]
    pub target_rows: Vec<Vec<Row>>, // [K][gamma + 1][V]
}

/// A case that does not pass, and the worst of what is wrong.
pub struct Failure {
    pub id: usize,
    pub flag: String,
    pub reason: String,
}

pub fn report(failures: &[Failure]) -> String {
    let line = |f: &Failure| format!("case {} ({}): {}", f.id, f.flag, f.reason);
    failures.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Makes a function of a case and a count from one that makes one iteration.
pub fn each(mut one: impl FnMut(&Case) -> Vec<i64>) -> impl FnMut(&Case, usize) -> Vec<Vec<i64>> {
    move |given, count| (0..count).map(|_| one(given)).collect()
}

#[derive(Default)]
struct Json {
    text: String, // of a string, or a number as it is written
    list: Vec<Json>,
    members: BTreeMap<String, Json>,
}

impl Json {
    fn at(&self, key: &str) -> Result<&Json, String> {
        self.members.get(key).ok_or_else(|| format!("no key \"{}\"", key))
    }
    fn parsed<T: std::str::FromStr>(&self) -> Result<T, String> {
        self.text.parse().map_err(|_| format!("'{}' is no number", self.text))
    }
    fn each<T>(&self, make: impl Fn(&Json) -> Result<T, String>) -> Result<Vec<T>, String> {
        self.list.iter().map(make).collect()
    }
    fn numbers(&self) -> Result<Row, String> {
        self.each(Json::parsed)
    }
    fn tokens(&self) -> Result<Vec<i64>, String> {
        self.each(Json::parsed)
    }
}

/// Reads the JSON that speclab writes: of escapes only those of one character.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn fail<T>(&self) -> Result<T, String> {
        Err(format!("no JSON at byte {}", self.at))
    }
    fn next(&mut self) -> Result<u8, String> {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
        self.text.get(self.at).copied().map_or_else(|| self.fail(), Ok)
    }
    fn string(&mut self) -> Result<String, String> {
        if self.next()? != b'"' {
            return self.fail();
        }
        let mut made = Vec::new();
        self.at += 1;
        while self.at < self.text.len() && self.text[self.at] != b'"' {
            if self.text[self.at] == b'\\' {
                self.at += 1;
            }
            made.extend(self.text.get(self.at));
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8(made).or_else(|_| self.fail())
    }
    fn value(&mut self) -> Result<Json, String> {
        let mut made = Json::default();
        let first = self.next()?;
        if first == b'{' || first == b'[' {
            let last = if first == b'{' { b'}' } else { b']' };
            self.at += 1;
            while self.next()? != last {
                if self.next()? == b',' {
                    self.at += 1;
                }
                if first == b'[' {
                    made.list.push(self.value()?);
                    continue;
                }
                let key = self.string()?;
                if self.next()? != b':' {
                    return self.fail();
                }
                self.at += 1;
                made.members.insert(key, self.value()?);
            }
            self.at += 1;
        } else if first == b'"' {
            made.text = self.string()?;
        } else {
            let end = |c: &u8| b",]} \n".contains(c);
            let size = self.text[self.at..].iter().position(end).unwrap_or(self.text.len() - self.at);
            if size == 0 {
                return self.fail();
            }
            made.text = String::from_utf8_lossy(&self.text[self.at..self.at + size]).into_owned();
            self.at += size;
        }
        Ok(made)
    }
}

fn load(path: &str, kind: &str) -> Result<Json, String> {
    let text = fs::read(path).map_err(|error| format!("{}: {}", path, error))?;
    let made = Reader { text: &text, at: 0 }.value().map_err(|error| format!("{}: {}", path, error))?;
    match made.at("format") {
        Ok(format) if format.text == format!("speclab conformance {}", kind) => Ok(made),
        _ => Err(format!("{} is no file of {}", path, kind)),
    }
}

/// A row as V numbers; that of a large vocabulary is written by token, without zeros.
fn dense(from: &Json, size: usize) -> Result<Row, String> {
    if from.members.is_empty() {
        return from.numbers();
    }
    let mut made = vec![0.0; size];
    for (name, value) in &from.members {
        let at = name.parse::<usize>().ok().and_then(|x| made.get_mut(x));
        *at.ok_or(format!("a row has token {}, of {}", name, size))? = value.parsed()?;
    }
    Ok(made)
}

fn case_of(from: &Json) -> Result<Case, String> {
    let size = from.at("vocabulary")?.parsed()?;
    let chains = |key| from.at(key)?.each(|chain| chain.each(|row| dense(row, size)));
    Ok(Case {
        id: from.at("id")?.parsed()?,
        flag: from.at("flag")?.text.clone(),
        vocabulary: from.at("vocabulary")?.parsed()?,
        eos: from.at("eos").ok().map(Json::parsed).transpose()?,
        drafts: from.at("drafts")?.each(Json::tokens)?,
        draft_rows: chains("draft_rows")?,
        target_rows: chains("target_rows")?,
    })
}

/// What was returned, without what follows the end of the sequence.
fn outcome(given: &Case, mut found: Vec<i64>) -> Result<Vec<i64>, String> {
    if found.iter().any(|token| !(0..given.vocabulary).contains(token)) {
        return Err(format!("returned {:?}, where tokens from 0 to {} are due", found, given.vocabulary - 1));
    }
    if let Some(end) = found.iter().position(|token| Some(*token) == given.eos) {
        found.truncate(end + 1);
    }
    Ok(found)
}

/// Err says what is wrong most with the counts of a case's outcomes.
fn judge(made: &Json, counts: &BTreeMap<Vec<i64>, i64>, band: &str) -> Result<(), String> {
    let (outcomes, total) = (&made.at("outcomes")?.list, counts.values().sum::<i64>());
    let mut accepted = BTreeMap::new();
    for one in outcomes {
        accepted.insert(one.at("tokens")?.tokens()?, &one.at("accepted")?.text);
    }
    let mut lengths = BTreeMap::new();
    for (found, count) in counts {
        match accepted.get(found) {
            Some(length) => *lengths.entry(*length).or_insert(0) += count,
            None => return Err(format!("{:?} is impossible, and came {} times", found, count)),
        }
    }
    let (mut worst, mut reason) = (0, Ok(()));
    let mut look = |name: String, count: i64, one: &Json| -> Result<(), String> {
        let ends = one.at(band)?.tokens()?;
        let beyond = (ends[0] - count).max(count - ends[1]);
        if beyond > worst {
            worst = beyond;
            let (least, most) = (ends[0], ends[1]);
            reason = Err(format!("{} came {} times in {}, {} to {} pass", name, count, total, least, most));
        }
        Ok(())
    };
    for one in &made.at("lengths")?.list {
        let length = &one.at("accepted")?.text;
        look(format!("{} accepted", length), *lengths.get(length).unwrap_or(&0), one)?;
    }
    for one in outcomes {
        let found = one.at("tokens")?.tokens()?;
        look(format!("{:?}", found), *counts.get(&found).unwrap_or(&0), one)?;
    }
    reason
}

/// Counts a case's outcomes in two parts, so that gross faults end early.
fn sample(
    vectors: &Json,
    made: &Json,
    given: &Case,
    verify: &mut impl FnMut(&Case, usize) -> Vec<Vec<i64>>,
) -> Result<(), String> {
    let sizes = if made.at("samples").is_ok() { made } else { vectors }; // a case may have its own
    let (early, all): (usize, usize) = (sizes.at("early")?.parsed()?, sizes.at("samples")?.parsed()?);
    let mut counts = BTreeMap::new();
    for (count, band) in [(early, "early"), (all - early, "count")] {
        let answers = verify(given, count);
        if answers.len() != count {
            return Err(format!("returned {} lists where {} were asked for", answers.len(), count));
        }
        for found in answers {
            *counts.entry(outcome(given, found)?).or_insert(0) += 1;
        }
        judge(made, &counts, band)?;
    }
    Ok(())
}

/// Err has the first decision on given numbers that differs.
fn decisions(
    made: &Json,
    given: &Case,
    decide: &mut impl FnMut(&Case, &[f64], &[f64]) -> Vec<i64>,
) -> Result<(), String> {
    for one in &made.at("uniforms")?.list {
        let (coins, draws) = (one.at("coins")?.numbers()?, one.at("draws")?.numbers()?);
        let (found, right) = (outcome(given, decide(given, &coins, &draws))?, one.at("tokens")?.tokens()?);
        if found != right {
            return Err(format!("coins {:?}, draws {:?}: {:?} where the rule has {:?}", coins, draws, found, right));
        }
    }
    Ok(())
}

fn failures(
    vectors: &Json,
    mut test: impl FnMut(&Json, &Case) -> Result<(), String>,
) -> Result<Vec<Failure>, String> {
    let mut all = Vec::new();
    for made in &vectors.at("cases")?.list {
        let given = case_of(made)?;
        // Whatever panics is a finding; its message with the line is on stderr.
        let result = catch_unwind(AssertUnwindSafe(|| test(made, &given)));
        let reason = match result {
            Ok(Ok(())) => continue,
            Ok(Err(reason)) => reason,
            Err(raised) => match (raised.downcast_ref::<String>(), raised.downcast_ref::<&str>()) {
                (Some(text), _) => format!("panic: {}", text),
                (_, Some(text)) => format!("panic: {}", text),
                _ => "panic".to_string(),
            },
        };
        all.push(Failure { id: given.id, flag: given.flag, reason });
    }
    Ok(all)
}

/// Samples every case; Err says why the file cannot be read.
pub fn check(
    path: &str,
    verify: &mut impl FnMut(&Case, usize) -> Vec<Vec<i64>>,
) -> Result<Vec<Failure>, String> {
    let vectors = load(path, "vectors")?;
    failures(&vectors, |made, given| sample(&vectors, made, given, verify))
}

/// Compares decisions on given random numbers, (case, coins, draws) -> tokens, one by one.
pub fn check_uniforms(
    path: &str,
    decide: &mut impl FnMut(&Case, &[f64], &[f64]) -> Vec<i64>,
) -> Result<Vec<Failure>, String> {
    failures(&load(path, "vectors")?, |made, given| decisions(made, given, decide))
}

/// The wrong laws that the vectors do not reject: none, of files that belong together.
pub fn missed_controls(path: &str, controls: &str) -> Result<Vec<Failure>, String> {
    let (vectors, wrong) = (load(path, "vectors")?, load(controls, "controls")?);
    let mut state = 1u64;
    let mut uniform = || {
        // SplitMix64 (Steele et al. 2014)
        state = state.wrapping_add(0x9e3779b97f4a7c15);
        let mut z = (state ^ (state >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d049bb133111eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut missed = Vec::new();
    for control in &wrong.at("controls")?.list {
        let law = control.at("law").unwrap_or(&Json::default()).each(|one| Ok((one.at("tokens")?.tokens()?, one.at("probability")?.parsed::<f64>()?)))?;
        let id = control.at("case")?.parsed::<usize>()?;
        let made = vectors.at("cases")?.list.get(id - 1).ok_or(format!("no case {}", id))?;
        let given = case_of(made)?;
        let mut draw = each(|_| {
            let mut at = uniform();
            let passed = |(_, probability): &&(Vec<i64>, f64)| {
                at -= probability;
                at < 0.0
            };
            law.iter().find(passed).unwrap_or(&law[law.len() - 1]).0.clone()
        });
        let passes = if law.is_empty() {
            let mut wrong = control.at("decisions")?.each(Json::tokens)?.into_iter();
            decisions(made, &given, &mut |_: &Case, _: &[f64], _: &[f64]| wrong.next().unwrap_or_default())
        } else {
            sample(&vectors, made, &given, &mut draw)
        };
        if passes.is_ok() {
            let reason = format!("{} was not rejected", control.at("fault")?.text);
            missed.push(Failure { id, flag: given.flag, reason });
        }
    }
    Ok(missed)
}

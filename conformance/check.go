// SPDX-License-Identifier: Apache-2.0

// Package conformance checks an implementation of speculative sampling against a file of conformance
// vectors with the standard library alone. Copy this file into your module:
//
//	func TestToken(t *testing.T) {
//		failures, err := conformance.Check("token.json", conformance.Each(verify))
//		if err != nil {
//			t.Fatal(err)
//		}
//		for _, failure := range failures {
//			t.Error(failure)
//		}
//	}
//
// verify makes one iteration, func(*Case) []int: the accepted tokens and the one after them.
package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// Case is what one decision is made from. The outer index is that of the draft: there is one of most rules.
type Case struct {
	ID         int
	Flag       string // what the case is for
	Vocabulary int
	EOS        int           // the end-of-sequence token, or -1
	Drafts     [][]int       // [K][gamma]
	DraftRows  [][][]float64 // [K][gamma][V]
	TargetRows [][][]float64 // [K][gamma + 1][V]
}

// Failure is a case that does not pass, and the worst of what is wrong.
type Failure struct {
	ID     int
	Flag   string
	Reason string
}

func (f Failure) String() string { return fmt.Sprintf("case %d (%s): %s", f.ID, f.Flag, f.Reason) }

// Verify makes count iterations.
type Verify func(given *Case, count int) [][]int

// Decide makes one iteration with the given random numbers.
type Decide func(given *Case, coins, draws []float64) []int

// Each makes a Verify of a function that makes one iteration.
func Each(one func(*Case) []int) Verify {
	return func(given *Case, count int) [][]int {
		all := make([][]int, count)
		for i := range all {
			all[i] = one(given)
		}
		return all
	}
}

type entry struct {
	Accepted     int
	Tokens       []int
	Count, Early [2]int
}

type uniforms struct {
	Coins, Draws []float64
	Tokens       []int
}

// writtenRow is a row's decimals, or of a large vocabulary those by token, without zeros.
type writtenRow struct {
	list   []string
	tokens map[int]string
}

func (r *writtenRow) UnmarshalJSON(text []byte) error {
	if text[0] == '{' {
		return json.Unmarshal(text, &r.tokens)
	}
	return json.Unmarshal(text, &r.list)
}

type vectorCase struct {
	ID                int
	Flag              string
	Vocabulary        int
	EOS               *int
	Drafts            [][]int
	DraftRows         [][]writtenRow `json:"draft_rows"`
	TargetRows        [][]writtenRow `json:"target_rows"`
	Samples, Early    int            // 0: the file's
	Lengths, Outcomes []entry
	Uniforms          []uniforms
}

type control struct {
	Fault string
	Case  int
	Law   []struct {
		Tokens      []int
		Probability float64
	}
	Decisions [][]int
}

type contents struct {
	Format         string
	Samples, Early int
	Cases          []vectorCase
	Controls       []control
}

func load(path, kind string) (*contents, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var made contents
	if err := json.Unmarshal(text, &made); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if made.Format != "speclab conformance "+kind {
		return nil, fmt.Errorf("%s is no file of %s", path, kind)
	}
	return &made, nil
}

// numbers is a row as V numbers.
func (r *writtenRow) numbers(size int) ([]float64, error) {
	made := make([]float64, size)
	set := func(x int, text string) (err error) {
		if x < 0 || x >= size {
			return fmt.Errorf("a row has token %d, of %d", x, size)
		}
		made[x], err = strconv.ParseFloat(text, 64)
		return err
	}
	for x, text := range r.list {
		if err := set(x, text); err != nil {
			return nil, err
		}
	}
	for x, text := range r.tokens {
		if err := set(x, text); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func numbers(chains [][]writtenRow, size int) ([][][]float64, error) {
	made := make([][][]float64, len(chains))
	for k, chain := range chains {
		for i := range chain {
			row, err := chain[i].numbers(size)
			if err != nil {
				return nil, err
			}
			made[k] = append(made[k], row)
		}
	}
	return made, nil
}

func (c *vectorCase) given() (*Case, error) {
	made := &Case{ID: c.ID, Flag: c.Flag, Vocabulary: c.Vocabulary, EOS: -1, Drafts: c.Drafts}
	if c.EOS != nil {
		made.EOS = *c.EOS
	}
	var err error
	if made.DraftRows, err = numbers(c.DraftRows, c.Vocabulary); err != nil {
		return nil, err
	}
	made.TargetRows, err = numbers(c.TargetRows, c.Vocabulary)
	return made, err
}

func name(tokens []int) string { return strings.ReplaceAll(fmt.Sprint(tokens), " ", ", ") }

// outcome is what was returned, without what follows the end of the sequence.
func (c *Case) outcome(found []int) (string, string) {
	for i, token := range found {
		if token < 0 || token >= c.Vocabulary {
			return "", fmt.Sprintf("returned %s, where tokens from 0 to %d are due", name(found), c.Vocabulary-1)
		}
		if token == c.EOS {
			return name(found[:i+1]), ""
		}
	}
	return name(found), ""
}

// judge returns what is wrong most with the counts of a case's outcomes; "" where they pass.
func (c *vectorCase) judge(counts map[string]int, early bool) string {
	accepted, lengths, total := map[string]int{}, map[int]int{}, 0
	for _, one := range c.Outcomes {
		accepted[name(one.Tokens)] = one.Accepted
	}
	found := make([]string, 0, len(counts))
	for tokens := range counts {
		found = append(found, tokens)
	}
	sort.Strings(found)
	for _, tokens := range found {
		length, known := accepted[tokens]
		if !known {
			return fmt.Sprintf("%s is impossible, and came %d times", tokens, counts[tokens])
		}
		lengths[length] += counts[tokens]
		total += counts[tokens]
	}
	worst, reason := 0, ""
	look := func(what string, count int, one entry) {
		band := one.Count
		if early {
			band = one.Early
		}
		beyond := band[0] - count
		if count-band[1] > beyond {
			beyond = count - band[1]
		}
		if beyond > worst {
			worst = beyond
			reason = fmt.Sprintf("%s came %d times in %d, %d to %d pass", what, count, total, band[0], band[1])
		}
	}
	for _, one := range c.Lengths {
		look(fmt.Sprintf("%d accepted", one.Accepted), lengths[one.Accepted], one)
	}
	for _, one := range c.Outcomes {
		look(name(one.Tokens), counts[name(one.Tokens)], one)
	}
	return reason
}

// sample counts a case's outcomes in two parts, so that gross faults end early.
func (v *contents) sample(c *vectorCase, given *Case, verify Verify) string {
	counts, all, first := map[string]int{}, v.Samples, v.Early
	if c.Samples > 0 {
		all, first = c.Samples, c.Early
	}
	for _, early := range []bool{true, false} {
		count := first
		if !early {
			count = all - first
		}
		answers := verify(given, count)
		if len(answers) != count {
			return fmt.Sprintf("returned %d lists where %d were asked for", len(answers), count)
		}
		for _, answer := range answers {
			tokens, wrong := given.outcome(answer)
			if wrong != "" {
				return wrong
			}
			counts[tokens]++
		}
		if reason := c.judge(counts, early); reason != "" {
			return reason
		}
	}
	return ""
}

// decisions returns the first decision on given numbers that differs.
func (c *vectorCase) decisions(given *Case, decide Decide) string {
	for _, one := range c.Uniforms {
		found, wrong := given.outcome(decide(given, one.Coins, one.Draws))
		if wrong != "" {
			return wrong
		}
		if found != name(one.Tokens) {
			return fmt.Sprintf("coins %v, draws %v: %s where the rule has %s", one.Coins, one.Draws, found, name(one.Tokens))
		}
	}
	return ""
}

// guarded makes a reason of a panic, with the line that it came from.
func guarded(test func() string) (reason string) {
	defer func() {
		if raised := recover(); raised != nil {
			reason = fmt.Sprint("panic: ", raised)
			callers := make([]uintptr, 32)
			frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
			for frame, more := frames.Next(); more; frame, more = frames.Next() {
				if !strings.HasPrefix(frame.Function, "runtime.") {
					reason += fmt.Sprintf(" at %s:%d", frame.File, frame.Line)
					return
				}
			}
		}
	}()
	return test()
}

func (v *contents) failures(test func(*vectorCase, *Case) string) ([]Failure, error) {
	var all []Failure
	for i := range v.Cases {
		c := &v.Cases[i]
		given, err := c.given()
		if err != nil {
			return nil, err
		}
		if reason := guarded(func() string { return test(c, given) }); reason != "" {
			all = append(all, Failure{c.ID, c.Flag, reason})
		}
	}
	return all, nil
}

// Check samples every case; err says why the file cannot be read.
func Check(path string, verify Verify) ([]Failure, error) {
	vectors, err := load(path, "vectors")
	if err != nil {
		return nil, err
	}
	return vectors.failures(func(c *vectorCase, given *Case) string { return vectors.sample(c, given, verify) })
}

// CheckUniforms compares decisions on given random numbers, one by one.
func CheckUniforms(path string, decide Decide) ([]Failure, error) {
	vectors, err := load(path, "vectors")
	if err != nil {
		return nil, err
	}
	return vectors.failures(func(c *vectorCase, given *Case) string {
		return c.decisions(given, decide)
	})
}

// MissedControls returns the wrong laws that the vectors do not reject: none, of files that belong together.
func MissedControls(path, controls string) ([]Failure, error) {
	vectors, err := load(path, "vectors")
	if err != nil {
		return nil, err
	}
	wrong, err := load(controls, "controls")
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewSource(1))
	var missed []Failure
	for _, each := range wrong.Controls {
		one := each
		if one.Case < 1 || one.Case > len(vectors.Cases) {
			return nil, fmt.Errorf("%s: %s has case %d, of %d", controls, one.Fault, one.Case, len(vectors.Cases))
		}
		c := &vectors.Cases[one.Case-1]
		given, err := c.given()
		if err != nil {
			return nil, err
		}
		draw := Each(func(*Case) []int {
			at := random.Float64()
			for _, outcome := range one.Law {
				if at -= outcome.Probability; at < 0 {
					return outcome.Tokens
				}
			}
			return one.Law[len(one.Law)-1].Tokens
		})
		at := -1
		decide := func(*Case, []float64, []float64) []int { at++; return one.Decisions[at] }
		if len(one.Law) > 0 && vectors.sample(c, given, draw) == "" ||
			len(one.Law) == 0 && c.decisions(given, decide) == "" {
			missed = append(missed, Failure{c.ID, c.Flag, one.Fault + " was not rejected"})
		}
	}
	return missed, nil
}

// Implementations for the checker in Go, written apart from the program: main NAME VECTORS [CONTROLS].
package main

import (
	"fmt"
	"math"
	"math/rand"
	"os"

	"example.com/tests/conformance"
)

type given = conformance.Case

// most is how many tokens a row is summed over: all of them, but of one fault.
var most = math.MaxInt

// pick is the first token at which the running sum passes u; the last of positive weight where none does.
func pick(weights []float64, u float64) int {
	total, run, last := 0.0, 0.0, 0
	if len(weights) > most {
		weights = weights[:most]
	}
	for _, weight := range weights {
		total += weight
	}
	for x, weight := range weights {
		if weight > 0 {
			last = x
		}
		if run += weight / total; u < run {
			return x
		}
	}
	return last
}

func rest(target, draft []float64, weight float64) []float64 {
	left := make([]float64, len(target))
	for x := range target {
		left[x] = math.Max(weight*target[x]-draft[x], 0)
	}
	return left
}

// token is token verification: Leviathan et al. 2023.
func token(c *given, coins, draws []float64) []int {
	out := []int{}
	for i, x := range c.Drafts[0] {
		draft, target := c.DraftRows[0][i], c.TargetRows[0][i]
		if coins[i] >= target[x]/draft[x] {
			return append(out, pick(rest(target, draft, 1), draws[0]))
		}
		out = append(out, x)
	}
	return append(out, pick(c.TargetRows[0][len(out)], draws[0]))
}

func tokenDrawn(c *given) []int {
	coins := make([]float64, len(c.Drafts[0]))
	for i := range coins {
		coins[i] = rand.Float64()
	}
	return token(c, coins, []float64{rand.Float64()})
}

// oneCoin has a fault: one coin for the whole iteration.
func oneCoin(c *given) []int {
	coins, coin := make([]float64, len(c.Drafts[0])), rand.Float64()
	for i := range coins {
		coins[i] = coin
	}
	return token(c, coins, []float64{rand.Float64()})
}

// block is block verification: Sun et al. 2025, Algorithm 2.
func block(c *given) []int {
	drafts, weights, tau := c.Drafts[0], []float64{1}, 0
	for i := 1; i <= len(drafts); i++ {
		x := drafts[i-1]
		weight := math.Min(1, weights[i-1]*c.TargetRows[0][i-1][x]/c.DraftRows[0][i-1][x])
		weights = append(weights, weight)
		passes := weight
		if i < len(drafts) {
			left := 0.0
			for _, w := range rest(c.TargetRows[0][i], c.DraftRows[0][i], weight) {
				left += w
			}
			if passes = 0; left > 0 {
				passes = left / (1 - weight + left)
			}
		}
		if rand.Float64() < passes {
			tau = i
		}
	}
	last := c.TargetRows[0][tau]
	if tau < len(drafts) {
		last = rest(last, c.DraftRows[0][tau], weights[tau])
	}
	return append(append([]int{}, drafts[:tau]...), pick(last, rand.Float64()))
}

func verify(name string) conformance.Verify {
	switch name {
	case "cut":
		most = 65536
		fallthrough
	case "token":
		return conformance.Each(tokenDrawn)
	case "block":
		return conformance.Each(block)
	case "one-coin":
		return conformance.Each(oneCoin)
	case "outside":
		return conformance.Each(func(c *given) []int { return []int{c.Vocabulary} })
	case "few":
		return func(*given, int) [][]int { return make([][]int, 3) }
	}
	return conformance.Each(func(c *given) []int { return c.Drafts[len(c.Drafts)] })
}

func main() {
	rand.Seed(7)
	var failures []conformance.Failure
	var err error
	switch {
	case len(os.Args) == 4:
		failures, err = conformance.MissedControls(os.Args[2], os.Args[3])
	case os.Args[1] == "uniforms":
		failures, err = conformance.CheckUniforms(os.Args[2], token)
	default:
		failures, err = conformance.Check(os.Args[2], verify(os.Args[1]))
	}
	for _, failure := range failures {
		fmt.Println("FAIL", failure)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if len(failures) > 0 {
		os.Exit(1)
	}
}

"""speclab.plot: pictures show the numbers of the answers, and what cannot be drawn is reported."""

import json

import pytest

import speclab
import speclab.plot

TOY = "bernoulli(draft=2/3,target=1/3)"


@pytest.fixture(scope="module")
def made():
    return speclab.simulate(TOY, ["token", "block"], [1, 2, 3], trials=400, horizon=8)


def curves(figure):
    """The coordinates of every line and mark on the first axes."""
    return {tuple(zip(map(float, line.get_xdata()), map(float, line.get_ydata())))
            for line in figure.axes[0].lines}


def test_a_series_is_the_numbers_of_the_answers(made):
    figure = speclab.plot.draw(made, x="gamma", y="acceptance_length", by="verifier")
    for verifier in ("token", "block"):
        rows = made.frame[(made.frame["quantity"] == "decode.acceptance_length")
                          & (made.frame["verifier"] == verifier) & (made.frame["method"] == "simulate")]
        expected = tuple((float(gamma), value) for gamma, value in zip(rows["gamma"], rows["value"]))
        assert expected in curves(figure)
        ends = {(float(x), float(y)) for part in figure.axes[0].collections
                for segment in part.get_segments() for x, y in segment}
        for gamma, low, high in zip(rows["gamma"], rows["ci95_low"], rows["ci95_high"]):
            assert {(float(gamma), low), (float(gamma), high)} <= ends
    assert {text.get_text() for text in figure.axes[0].texts} >= {"token", "block"}


def test_exact_laws_are_lines_without_intervals():
    figure = speclab.plot.draw(speclab.exact(TOY, "block", 2), y="accepted_law")
    assert curves(figure) == {((0, 1 / 3), (1, 1 / 9), (2, 5 / 9))}
    assert not figure.axes[0].collections


def test_a_closed_form_stands_beside_estimates(made):
    figure = speclab.plot.draw(made, y="tail", where={"verifier": "token", "gamma": 3})
    drawn = next(line for line in figure.axes[0].lines if line.get_linestyle() == "--")
    assert list(drawn.get_ydata()) == pytest.approx([2 / 3, 4 / 9, 8 / 27])


def test_panels_axes_and_the_files_bytes(made, tmp_path):
    figure = speclab.plot.draw(made, x="index", y="tail", by=["verifier"], facet="gamma", log="y", paper=True)
    assert [axes.get_yscale() for axes in figure.axes] == ["log"] * len(figure.axes)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    assert len(shown) == 3 and figure.get_figwidth() == speclab.plot.look.PAGE
    for end in ("svg", "pdf", "png"):
        paths = [tmp_path / f"{name}.{end}" for name in "ab"]
        for path in paths:
            speclab.plot.save(speclab.plot.draw(made, x="gamma", y="tokens"), path)
        assert paths[0].read_bytes() == paths[1].read_bytes() != b""
    with pytest.raises(ValueError, match="ends in"):
        speclab.plot.save(figure, tmp_path / "a.gif")


def test_the_look_of_others_is_left_alone(made):
    import matplotlib

    before = dict(matplotlib.rcParams)
    speclab.plot.draw(made, x="gamma", y="tokens", paper=True)
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("arguments, words", [
    ({"x": "gama", "y": "tokens"}, "did you mean 'gamma'"),
    ({"x": "gamma", "y": "token"}, "decode.tokens"),
    ({"x": "gamma", "y": "tokens", "by": "horizon"}, "differ in verifier"),
    ({"x": "gamma", "y": "tokens", "where": {"verifier": "blok"}}, "it has block, token"),
    ({"x": "gamma"}, "say with --y"),
    ({"x": "verifier", "y": "tokens", "log": "x"}, "positive numbers"),
])
def test_a_wrong_choice_names_the_mend(made, arguments, words):
    with pytest.raises(speclab.plot.Wrong, match=words):
        speclab.plot.draw(made, **arguments)


@pytest.mark.parametrize("text, words", [
    ("", "is empty"), ("a,b\n1,2\n", "no table of speclab"), ("{", "was it cut"), ("{}", "no JSON that speclab"),
    ("pair,quantity,value\nx,y\n", "not as many fields"),
    ('{"cells": [], "parameters": ["a"], "by": {}}', "no parameter 'gamma'"),
])
def test_a_file_that_is_not_ours_is_told(tmp_path, text, words):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(LookupError, match=words):
        speclab.plot.draw(path, x="gamma", y="tail")


def test_conditions_of_a_cell_are_polynomials_and_nothing_else():
    from speclab.plot import views

    values = {"draft[0]": 0.5, "target(0)[1]": 0.25}
    assert views.polynomial("2*draft[0]^2 - target(0)[1] + 1", values) == 1.25
    assert not views.inside(["draft[0] - target(0)[1] < 0"], values)
    assert views.inside(["draft[0] - target(0)[1] > 0", "draft[0] - 1 <= 0"], values)
    assert views.inside(["draft[0] - 1/2 = 0"], values) is None  # no area
    for text in ("__import__('os')", "draft[1]", "draft[0].real", "2 ** "):
        with pytest.raises(LookupError):
            views.polynomial(text, values)


def test_an_audit_is_drawn_from_its_csv(tmp_path, capsys):
    from speclab.plot.command import main
    source, picture = tmp_path / "audit.csv", tmp_path / "audit.svg"
    source.write_text("rule,mode,seed,case,decision,detail,tv,p_value,resembles\n"
                      "token,verify,1,case 1,,,,,\n"
                      "token,verify,1,case 2,bonus at accepted length 1,off,0.25,0.0,\n", encoding="ascii")
    assert main([str(source), "--output", str(picture)]) == 0, capsys.readouterr().err
    drawn = picture.read_text(encoding="utf-8")
    assert "audit of token: fail; 2 cases" in drawn and "case 2: bonus at accepted length 1" in drawn


def test_a_bound_is_its_row_s_number(tmp_path):
    from speclab.plot.rows import Rows
    rows = Rows.parse("method,quantity,value,exact,claim,bound,bound_exact\n"
                      "exact,q,1.5,3/2,,,\n"
                      "bound,q,,,c,2.0,2\n", "x.csv")
    for row in rows:
        row.update(task="", pair="", verifier="", gamma="", horizon="", iterations="", arithmetic="")
    assert [row["value"] for row in rows.pick(claim="c")] == ["2.0"]
    assert [row["value"] for row in rows.pick()] == ["1.5"]


def test_names_from_a_file_steer_nothing(tmp_path, capsys):
    """Neither as they stand in a CSV nor as escapes of JSON do control characters come into a picture or a message."""
    from speclab.plot.command import main
    audited = {"rule": "token\u001b[2J\u009b31m\u202e", "verdict": "pass", "trials": 1000, "findings": [], "cases": []}
    source, picture = tmp_path / "audit.json", tmp_path / "audit.svg"
    source.write_text(json.dumps(audited), encoding="ascii")
    assert main([str(source), "--output", str(picture)]) == 0, capsys.readouterr().err
    drawn = picture.read_text(encoding="utf-8")
    assert "token\N{REPLACEMENT CHARACTER}[2J" in drawn
    assert not set("\u001b\u009b\u202e") & set(drawn)
    assert main([str(tmp_path / "no\u001b[2J\u009b.csv")]) == 3
    reported = capsys.readouterr().err
    assert "no?[2J?.csv" in reported
    assert not set("\u001b\u009b") & set(reported)

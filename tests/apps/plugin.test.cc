// A plugin, built out of tree against an installed prefix as its README says, is a verifier like
// the others; and what is no plugin is refused.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.h"
#include "process.h"
#include "refused.h"

namespace speclab::plugin_test {
namespace {

namespace fs = std::filesystem;

/// Runs a command of the shell quietly. @returns its log where it fails, else nothing
std::string fails(const std::string& command, const fs::path& log) {
  const int status = std::system((command + " >'" + log.string() + "' 2>&1").c_str());
  return status == 0 ? "" : command + ": " + slurp(log.string());
}

/// The folder of the built libraries of a project that finds speclab in `prefix`.
fs::path built(const std::string& source, const fs::path& prefix, const fs::path& folder) {
  const std::string at = "'" + folder.string() + "'";
  fs::create_directories(folder);
  CHECK(fails("cmake -S '" SPECLAB_SOURCE_DIR "/" + source + "' -B " + at +
                  " -DCMAKE_PREFIX_PATH='" + prefix.string() + "'",
              folder / "configure.log") == "");
  CHECK(fails("cmake --build " + at, folder / "build.log") == "");
  return folder;
}

/// The results of a command without what only a listed verifier has, its closed forms.
nlohmann::json results(const std::vector<std::string>& words) {
  nlohmann::json all = succeeds(words).json()["results"];
  for (auto& result : all) {
    for (const char* key : {"predictions", "verifier"}) result.erase(key);
  }
  return all;
}

void refuses(const fs::path& file, const std::string& why) {
  const Finished done = speclab_run("list verifiers --plugin", file.string());
  CAPTURE(file.string(), done.err);
  CHECK(done.code == 3);
  CHECK(done.err.find(why) != std::string::npos);
  CHECK(std::count(done.err.begin(), done.err.end(), '\n') == 1);
  CHECK(done.err.find(file.filename().string()) != std::string::npos);
}

/// The variable that names the plugins to load, set as long as this lives.
struct ListedPlugins {
  explicit ListedPlugins(const std::string& plugins) {
    setenv("SPECLAB_PLUGINS", plugins.c_str(), 1);
  }
  ~ListedPlugins() { unsetenv("SPECLAB_PLUGINS"); }
  ListedPlugins(const ListedPlugins&) = delete;
  ListedPlugins& operator=(const ListedPlugins&) = delete;
};

void has_exact_laws(const std::string& plugin) {
  const auto exact = [&](const std::string& verifier, const std::string& arithmetic) {
    return results(argv("exact --plugin", plugin,
                        "--pair tree(vocabulary=3,depth=3,seed=5) --verifier", verifier,
                        "--gamma 2 --horizon 3 --law --arithmetic", arithmetic, "--format json"));
  };

  // c = 1 is token verification.
  CHECK(exact("cautious", "rational") == exact("token", "rational"));
  // In doubles its residual is summed in another order.
  const auto rounded = exact("cautious", "double")[0];
  const auto token = exact("token", "double")[0];
  CHECK(rounded["iteration"]["expected_accepted"]["value"].get<double>() ==
        Approx(token["iteration"]["expected_accepted"]["value"].get<double>()).epsilon(1e-14));
  CHECK(rounded["output"]["tv_to_target"]["value"].get<double>() < 1e-14);
  // Lossless whatever c is, and E[tau] = c alpha + (c alpha)^2, here with c alpha = 1/3.
  const auto half =
      results(argv("exact --plugin", plugin, "--pair", kToyPair,
                   "--verifier cautious(c=1/2) --gamma 2 --horizon 3 --format json"))[0];
  CHECK(half["iteration"]["expected_accepted"]["exact"] == "4/9");
  CHECK(half["output"]["tv_to_target"]["exact"] == "0");
}

void is_among_all(const std::string& plugin) {
  const auto all = results(
      argv("exact --plugin", plugin, "--pair", kToyPair, "--verifier all --gamma 1 --format json"));
  const auto without =
      speclab_run("exact --pair", kToyPair, "--verifier all --gamma 1 --format json");
  CHECK(all.size() == without.json()["results"].size() + 1);
}

void is_simulated(const std::string& plugin) {
  const auto simulated = [&](const std::string& estimator) {
    return results(argv("simulate --plugin", plugin, "--pair", kToyPair,
                        "--verifier cautious(c=1/2) --gamma 2 --trials 20000 --estimator",
                        estimator, "--format json"))[0]["iteration"]["expected_accepted"];
  };
  for (const char* estimator : {"plain", "conditional"}) {
    const auto found = simulated(estimator);
    CHECK(std::abs(found["mean"].get<double>() - 4.0 / 9) <=
          6 * found["stderr"].get<double>() + 1e-9);
  }
}

void is_found_by_variable(const std::string& plugin) {
  {
    const ListedPlugins variable(plugin);
    const auto listed = speclab_run("list verifiers --format json").json()["verifiers"];
    CHECK(listed.back()["verifier"] == "cautious(c=1)");
    // Named twice, it is loaded once.
    succeeds("list verifiers --plugin", plugin);
    refuses_in_line(argv("exact --pair", kToyPair, "--verifier cautius --gamma 1"), 3,
                    "did you mean 'cautious'?");
    refuses_in_line(argv("exact --pair", kToyPair, "--verifier cautious(c=2) --gamma 1"), 3, "c=2");
  }
  CHECK(speclab_run("exact --pair", kToyPair, "--verifier cautious --gamma 1").code == 3);
}

void serves_experiments(const std::string& plugin) {
  const ListedPlugins variable(plugin);
  Scratch scratch;
  const std::string experiment = scratch.write("mine.toml", R"toml(
title = "E[tau] of a plugin's verifier"
source = "docs/plugin"
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=2/3,target=1/3)"
verifier = "cautious(c=1/2)"
gamma = 2
)toml");
  succeeds("run", experiment, "--output", scratch.file("out"));
  CHECK(slurp(scratch.file("out/mine.csv")).find("4/9") != std::string::npos);
}

/// `check` judges and proves it, and controls are of its verifiers alone.
void is_judged(const std::string& plugin) {
  const auto result = succeeds("check --plugin", plugin, "--format json").json()["results"][0];
  CHECK(result["verifier"] == "cautious(c=1)");
  CHECK(result["lossless"] == true);
  CHECK(result["proof"] == "proved");
  // c = 1/2: 4/9 of the optimum 4/3.
  const Finished half =
      speclab_run("check --plugin", plugin, "--verifier cautious(c=1/2) --format json");
  CHECK(half.json()["results"][0]["share_of_optimum"]["exact"] == "1/3");
  const Finished controls = succeeds("verify --controls --plugin", plugin, "--quick --format json");
  REQUIRE(controls.json()["controls"].size() == 1);
  CHECK(controls.json()["controls"][0]["verifier"] == "cautious(c=1)");
}

/// What is added to the registry, a rule or a fault, changes no byte of a released battery.
void changes_no_battery(const std::string& rule, const std::string& fault) {
  const Scratch scratch;
  const auto files = [&](const std::string& name, const std::string& plugins) {
    const ListedPlugins variable(plugins);
    const std::string folder = scratch.file(plugins.empty() ? "released" : "later");
    succeeds("vectors --rule", name, "--output", folder);
    const std::string file = folder + "/" + name;
    return std::array{slurp(file + ".json"), slurp(file + ".controls.json")};
  };
  const std::string both = rule + ":" + fault;
  CHECK(files("block", both) == files("block", ""));
}

// One case: its parts share what is installed and built.
/// A plugin that was cut is refused by name, wherever its loaded segments were cut; what follows
/// them is not read.
void truncated_is_refused(const std::string& plugin, const fs::path& folder) {
  const std::string whole = slurp(plugin);
  const fs::path cut = folder / "cut.so";
  for (std::size_t parts = 0; parts < 16; ++parts) {
    std::ofstream(cut, std::ios::binary) << whole.substr(0, whole.size() * parts / 16);
    refuses(cut, "plugin '");
  }
}

TEST_CASE("a plugin built against the installed headers is a verifier like the others") {
  const Scratch scratch;
  const fs::path folder = scratch.file("");
  const fs::path prefix = folder / "prefix";
  REQUIRE(fails("cmake --install '" SPECLAB_BUILD_DIR "' --prefix '" + prefix.string() + "'",
                folder / "install.log") == "");
  const std::string plugin = built("docs/plugin", prefix, folder / "example") / "cautious.so";
  has_exact_laws(plugin);
  is_among_all(plugin);
  is_simulated(plugin);
  is_judged(plugin);
  is_found_by_variable(plugin);
  serves_experiments(plugin);

  const fs::path faults = built("tests/plugin", prefix, folder / "faults");
  changes_no_battery(plugin, faults / "planted.so");
  refuses(faults / "missing.so", "there is no file of that name");
  refuses(SPECLAB_SOURCE_DIR "/README.md", "cannot be loaded as a shared library");
  refuses(faults / "stranger.so", "it is not a plugin of speclab");
  refuses(faults / "older.so", "it was built for 'speclab 0.9.0, interface 0'");
  refuses(faults / "lacking.so", "it needs what this program lacks");
  refuses(faults / "taken.so", "a verifier 'token' exists already");
  refuses(faults / "twice.so", "a verifier 'twice' exists already");
  refuses(faults / "nothing.so", "its function speclab_plugin returns nothing");
  refuses(faults / "rowless.so", "a verifier of its list is missing");
  // exit() runs the program's own guard against it, whose status is 4.
  refuses(faults / "exits.so", "to load it ends the program with status 4");
  refuses(faults / "leaves.so", "to load it ends the program with status 0");
  refuses(faults / "throws.so", "to load it throws what is no std::exception");
  refuses(faults / "crashes.so", "to load it ends the program by signal 11");
  truncated_is_refused(plugin, faults);
}

}  // namespace
}  // namespace speclab::plugin_test

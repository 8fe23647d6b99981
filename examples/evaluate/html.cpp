// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>

#include "run.hpp"

namespace evaluate {
namespace {

constexpr const char* style = R"(
:root { --ink: #1c2430; --soft: #5b6675; --line: #d8dee6; --paper: #ffffff; --mark: #1f6fb4; --gap: #d9572b; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { color: var(--soft); margin: .2rem 0; }
table { border-collapse: collapse; } td, th { padding: .25rem 1.2rem .25rem 0; text-align: left;
       border-bottom: 1px solid var(--line); } td.number, th.number { text-align: right;
       font-variant-numeric: tabular-nums; padding-right: 0; }
.row { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
svg { max-width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); } svg .grid { stroke: var(--line); } svg .dashed { stroke: var(--soft);
       stroke-dasharray: 4 4; fill: none; }
)";

// ---- pieces --------------------------------------------------------------------------------

std::string escaped(const std::string& text) {
  std::string s;
  for (const char c : text) {
    switch (c) {
      case '<':
        s += "&lt;";
        break;
      case '>':
        s += "&gt;";
        break;
      case '&':
        s += "&amp;";
        break;
      case '"':
        s += "&quot;";
        break;
      default:
        s += c;
    }
  }
  return s;
}

std::string text_at(double x, double y, const std::string& text, const char* anchor = "middle",
                    const char* more = "") {
  return fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='{}' {}>{}</text>\n", x, y, anchor,
                     more, text);
}

// Ten colours that differ also for colour-blind eyes; the second ten curves are dashed.
std::string stroke(std::size_t i) {
  constexpr const char* colours[] = {"#1f6fb4", "#d9572b", "#2a9d6f", "#8a5cc2", "#b8860b",
                                     "#c2477f", "#4a90a4", "#6b7a1e", "#7a4b2a", "#5b6675"};
  return fmt::format("stroke='{}'{}", colours[i % 10], i < 10 ? "" : " stroke-dasharray='5 3'");
}

// A square picture of [0, 1] x [0, 1] with its axes.
class Plot {
 public:
  Plot(const char* across, const char* up) {
    svg_ = fmt::format("<svg width='{0}' height='{1}' viewBox='0 0 {0} {1}' role='img'>\n",
                       left + side + 14, top + side + 42);
    for (int i = 0; i <= 5; ++i) {
      const double v = i / 5.0;
      svg_ += line(v, 0, v, 1, "class='grid'") + line(0, v, 1, v, "class='grid'");
      svg_ += text_at(x(v), y(0) + 16, fmt::format("{:.1f}", v), "middle", "class='soft'");
      svg_ += text_at(x(0) - 6, y(v) + 4, fmt::format("{:.1f}", v), "end", "class='soft'");
    }
    svg_ += text_at(x(0.5), y(0) + 34, across);
    svg_ += text_at(0, 0, up, "middle",
                    fmt::format("transform='translate(12 {:.1f}) rotate(-90)'", y(0.5)).c_str());
  }
  static double x(double v) { return left + side * v; }
  static double y(double v) { return top + side * (1 - v); }
  static std::string line(double x0, double y0, double x1, double y1, const char* attributes) {
    return fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' {}/>\n", x(x0), y(y0),
                       x(x1), y(y1), attributes);
  }
  static std::string rect(double x0, double y0, double x1, double y1, const char* attributes,
                          const std::string& title) {
    return fmt::format(
        "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' {}><title>{}</title></rect>\n",
        x(x0), y(y1), x(x1) - x(x0), y(y0) - y(y1), attributes, title);
  }
  void add(const std::string& piece) { svg_ += piece; }
  std::string str() const { return svg_ + "</svg>\n"; }

 private:
  static constexpr int left = 48, top = 10, side = 320;
  std::string svg_;
};

// ---- the parts of the page -----------------------------------------------------------------

std::string metric_table(const Values& values) {
  std::string s =
      "<h2>Metrics</h2>\n<table><tr><th>Metric</th><th class='number'>Value</th></tr>\n";
  for (const auto& [name, value] : values) {
    s += fmt::format("<tr><td>{}</td><td class='number'>{:.6g}</td></tr>\n", escaped(name), value);
  }
  return s + "</table>\n";
}

// White to blue by the share of the true class; rows without anything stay white.
std::string confusion_map(const Table& confusion) {
  const std::int64_t n = confusion.size() > 0 ? confusion.extent(0) : 0;
  if (n == 0) return "";
  std::string s = "<h2>Confusion matrix</h2>\n";
  if (n > 200) {
    return s +
           fmt::format("<p>{} classes are too many to draw; --json writes the matrix.</p>\n", n);
  }
  const int cell = n <= 12 ? 46 : n <= 30 ? 26 : n <= 100 ? 8 : 4;
  const bool numbers = n <= 12;
  const std::int64_t label_step = n <= 30 ? 1 : n <= 100 ? 10 : 20;
  const int left = 56, top = 40, size = cell * static_cast<int>(n);
  s += fmt::format(
      "<p>Colour: share of the true class. {}</p>\n<svg width='{w}' height='{h}' viewBox='0 0 {w} "
      "{h}' role='img'>\n",
      numbers ? "Number: weight of the rows." : "Point at a cell for its weight.",
      fmt::arg("w", left + size + 10), fmt::arg("h", top + size + 10));
  s += fmt::format("<rect x='{0}' y='{1}' width='{2}' height='{2}' fill='#ffffff' class='grid'/>\n",
                   left, top, size);
  s += text_at(left + size / 2.0, 12, "predicted class");
  s += text_at(0, 0, "true class", "middle",
               fmt::format("transform='translate(12 {}) rotate(-90)'", top + size / 2).c_str());
  for (std::int64_t i = 0; i < n; ++i) {
    const double middle = static_cast<double>(cell) * (static_cast<double>(i) + 0.5);
    if (i % label_step == 0) {
      s += text_at(left + middle, top - 6, std::to_string(i), "middle", "class='soft'");
      s += text_at(left - 6, top + middle + 4, std::to_string(i), "end", "class='soft'");
    }
    double total = 0;
    for (std::int64_t j = 0; j < n; ++j) total += confusion(i, j);
    for (std::int64_t j = 0; j < n; ++j) {
      const double weight = confusion(i, j);
      if (weight == 0) continue;
      const double share = total > 0 ? weight / total : 0;
      const double x = static_cast<double>(left + cell * j);
      const double y = static_cast<double>(top + cell * i);
      // From white to the colour of marks, and never so pale that a miss is overlooked.
      const double depth = 0.12 + 0.88 * share;
      const auto tint = [&](double to) {
        return static_cast<int>(std::lround(255 + depth * (to - 255)));
      };
      s += fmt::format(
          "<rect x='{:.0f}' y='{:.0f}' width='{}' height='{}' fill='rgb({},{},{})'><title>true {}, "
          "predicted {}: {:.9g} ({:.1f} %)</title></rect>\n",
          x, y, cell, cell, tint(31), tint(111), tint(180), i, j, weight, 100 * share);
      if (numbers) {
        s += text_at(x + cell / 2.0, y + cell / 2.0 + 4, fmt::format("{:.4g}", weight), "middle",
                     depth > 0.5 ? "style='fill:#ffffff'" : "style='fill:#1c2430'");
      }
    }
  }
  return s + "</svg>\n";
}

template <class Across, class Up>
std::string path(const LabelCurve& curve, std::size_t number, Across across, Up up) {
  std::string points;
  for (const CurvePoint& p : curve.points) {
    if (!std::isfinite(across(p)) || !std::isfinite(up(p))) continue;
    points += fmt::format("{:.1f},{:.1f} ", Plot::x(across(p)), Plot::y(up(p)));
  }
  return fmt::format("<polyline points='{}' fill='none' stroke-width='1.8' {}/>\n", points,
                     stroke(number));
}

std::string legend(const std::vector<LabelCurve>& curves, double LabelCurve::*area) {
  std::string s = "<table>\n";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    s += fmt::format(
        "<tr><td><svg width='26' height='8'><line x1='0' y1='4' x2='26' y2='4' stroke-width='2.5' "
        "{}/></svg></td><td>{}</td><td class='number'>{:.4f}</td></tr>\n",
        stroke(i), curves.size() == 1 ? "area" : "class " + curves[i].label, curves[i].*area);
  }
  return s + "</table>\n";
}

std::string curve_pictures(const std::vector<LabelCurve>& curves, std::int64_t classes) {
  if (classes > most_curves) {
    return fmt::format("<h2>Curves</h2>\n<p>Not drawn: there are {} classes, more than {}.</p>\n",
                       classes, most_curves);
  }
  if (curves.empty()) return "";
  Plot roc("false positive rate", "true positive rate");
  Plot pr("recall", "precision");
  roc.add(Plot::line(0, 0, 1, 1, "class='dashed'"));
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const auto recall = [](const CurvePoint& p) { return p.true_positive_rate; };
    roc.add(path(
        curves[i], i, [](const CurvePoint& p) { return p.false_positive_rate; }, recall));
    pr.add(path(curves[i], i, recall, [](const CurvePoint& p) { return p.precision; }));
  }
  return fmt::format(
      "<div class='row'><div><h2>ROC curve</h2>\n{}{}</div>\n<div><h2>Precision-recall "
      "curve</h2>\n{}{}</div></div>\n<p>From the counts at {} thresholds{}.</p>\n",
      roc.str(), legend(curves, &LabelCurve::area_roc), pr.str(),
      legend(curves, &LabelCurve::area_pr), curves.front().points.size(),
      curves.size() == 1 ? "" : ", each class against all others");
}

// Bars as high as the accuracy of each bin of confidence, and a tick at its mean confidence.
std::string reliability_diagram(const std::vector<ReliabilityBin>& bins, bool binary) {
  if (bins.empty()) return "";
  double total = 0;
  double error = 0;
  for (const ReliabilityBin& b : bins) {
    if (b.weight == 0) continue;
    total += b.weight;
    error += b.weight * std::abs(b.accuracy - b.confidence);
  }
  Plot accuracy(binary ? "probability of class 1" : "confidence of the predicted class",
                binary ? "share of class 1" : "share predicted right");
  Plot rows(binary ? "probability of class 1" : "confidence of the predicted class",
            "share of the rows");
  const auto width = static_cast<double>(bins.size());
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const ReliabilityBin& b = bins[i];
    if (b.weight == 0) continue;
    const double from = (static_cast<double>(i) + 0.06) / width;
    const double to = (static_cast<double>(i) + 0.94) / width;
    const std::string title = fmt::format("weight {:.6g}, confidence {:.4f}, accuracy {:.4f}",
                                          b.weight, b.confidence, b.accuracy);
    accuracy.add(Plot::rect(from, 0, to, b.accuracy, "fill='var(--mark)' opacity='0.75'", title));
    accuracy.add(
        Plot::line(from, b.confidence, to, b.confidence, "stroke='var(--gap)' stroke-width='2.5'"));
    rows.add(Plot::rect(from, 0, to, b.weight / total, "fill='var(--mark)' opacity='0.75'", title));
  }
  accuracy.add(Plot::line(0, 0, 1, 1, "class='dashed'"));
  return fmt::format(
      "<div class='row'><div><h2>Reliability diagram</h2>\n{}</div>\n<div><h2>Rows by "
      "confidence</h2>\n{}</div></div>\n<p>Bars: accuracy of each bin; ticks: its mean confidence. "
      "Expected calibration error {:.4f}.</p>\n",
      accuracy.str(), rows.str(), total > 0 ? error / total : 0);
}

}  // namespace

std::string html(const Report& r) {
  const std::int64_t classes = r.task == "multiclass" ? r.confusion.extent(0) : 0;
  return fmt::format(
             "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>\n<meta name='viewport' "
             "content='width=device-width'>\n<title>Evaluation of {0}</title>\n<style>{1}</style>"
             "</head><body>\n<h1>Evaluation of {0}</h1>\n<p>{2} task, {3} rows, true values from "
             "{4}</p>\n",
             escaped(r.y_pred), style, r.task, r.rows, escaped(r.y_true)) +
         metric_table(r.values) + confusion_map(r.confusion) + curve_pictures(r.curves, classes) +
         reliability_diagram(r.reliability, r.task == "binary") + "</body></html>\n";
}

}  // namespace evaluate

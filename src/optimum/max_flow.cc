#include "optimum/max_flow.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

namespace speclab {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using EdgeName = Traits::edge_descriptor;
using OfVertex =
    boost::property<boost::vertex_color_t, boost::default_color_type,
                    boost::property<boost::vertex_distance_t, long,
                                    boost::property<boost::vertex_predecessor_t, EdgeName>>>;
using OfEdge = boost::property<boost::edge_capacity_t, Rational,
                               boost::property<boost::edge_residual_capacity_t, Rational,
                                               boost::property<boost::edge_reverse_t, EdgeName>>>;
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, OfVertex, OfEdge>;

}  // namespace

Flow largest_flow(const std::vector<FlowEdge>& edges, std::size_t vertices, std::size_t source,
                  std::size_t sink) {
  Graph graph(vertices);
  std::vector<EdgeName> names;
  for (const FlowEdge& edge : edges) {
    names.push_back(boost::add_edge(edge.from, edge.to, graph).first);
    const EdgeName back = boost::add_edge(edge.to, edge.from, graph).first;
    put(boost::edge_capacity, graph, names.back(), edge.capacity);
    put(boost::edge_capacity, graph, back, Rational(0));
    put(boost::edge_reverse, graph, names.back(), back);
    put(boost::edge_reverse, graph, back, names.back());
  }
  Flow flow;
  flow.value = boost::boykov_kolmogorov_max_flow(graph, source, sink);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    flow.along.push_back(edges[i].capacity - get(boost::edge_residual_capacity, graph, names[i]));
  }
  return flow;
}

}  // namespace speclab

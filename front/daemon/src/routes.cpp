#include "routes.h"

#include <nlohmann/json.hpp>

#include "changes.h"
#include "explanation.h"
#include "plan_answer.h"
#include "sextant/core/provenance.h"
#include "sextant/core/text.h"
#include "sextant/daemon/daemon.h"

namespace sextant::daemon {
namespace {

using http::Request;
using http::Response;
using http::Route;
using http::Verb;

std::int64_t query_number(const Request& request, const std::string& name, std::int64_t fallback) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? fallback : to_integer(found->second).value_or(fallback);
}

std::string query_text(const Request& request, const std::string& name) {
  const auto found = request.query.find(name);
  return found == request.query.end() ? "" : found->second;
}

// Members in another order are the same request.
std::string request_hash(const Json& body) {
  return sha256_hex(nlohmann::json(body).dump());
}

Response changed(const Service& service, const std::function<Response(Page&)>& change) {
  Response response;
  service.ledger->change([&](Page& page) { response = change(page); });
  return response;
}

Response submit_job(const Service& service, const Request& request) {
  const Json& body = *request.body;
  const std::string asked = request_hash(body);
  const std::string key = "job " + body.at("id").get<std::string>();
  // Prediction takes time: it is done on this thread, and of a copy of what it needs.
  const auto [machines, nodes] =
      service.ledger->read([](const Books& books) { return std::pair(books.machines, books.nodes); });
  const bool known = service.ledger->read(
      [&](const Books& books) { return books.find(body.at("id").get<std::string>()) != nullptr; });
  JobOrder order;
  if (!known) order = read_job_order(body, {machines, nodes, *service.catalog, service.ledger->now()});
  return changed(service, [&](Page& page) {
    return answered_once(page, key, asked, [&] { return submit(page, std::move(order)); });
  });
}

Response list_jobs(const Service& service, const Request& request) {
  const std::string state = query_text(request, "state");
  const auto after = static_cast<std::size_t>(query_number(request, "after", 0));
  const auto limit = static_cast<std::size_t>(query_number(request, "limit", 100));
  const Seconds now = service.ledger->now();
  return service.ledger->read([&](const Books& books) {
    Json jobs = Json::array();
    std::size_t place = after;
    for (; place < books.jobs.size() && jobs.size() < limit; ++place) {
      const DaemonJob& job = books.jobs[place];
      if (state.empty() || phase_text(job.phase) == state) jobs.push_back(job_answer(job, now));
    }
    const bool more = place < books.jobs.size();
    return http::json_response({{"jobs", std::move(jobs)}, {"next_after", more ? place : 0}});
  });
}

Response show_job(const Service& service, const Request& request) {
  const Seconds now = service.ledger->now();
  return service.ledger->read([&](const Books& books) {
    const DaemonJob* job = books.find(request.place.at("id"));
    if (job == nullptr) throw http::Refusal(404, "there is no job '" + request.place.at("id") + "'");
    return http::json_response(job_answer(*job, now));
  });
}

Response explain_job(const Service& service, const Request& request) {
  const auto question = service.ledger->read([&](const Books& books) {
    const DaemonJob* job = books.find(request.place.at("id"));
    if (job == nullptr) throw http::Refusal(404, "there is no job '" + request.place.at("id") + "'");
    return waiting_question(books, *job, service.wishes, service.ledger->now());
  });
  const ask::WaitingReason why = explained(question, service.method, service.seed);
  Json json = {{"job", question.job}, {"state", phase_text(question.phase)}, {"reason", why.reason}};
  if (!why.remedy.empty()) json["remedy"] = why.remedy;
  return http::json_response(json);
}

Response take_progress(const Service& service, const Request& request) {
  const std::string& id = request.place.at("id");
  const Json& body = *request.body;
  return changed(service, [&](Page& page) {
    return answered_once(page, "progress " + id + " " + body.at("key").get<std::string>(), request_hash(body),
                         [&] { return report_progress(page, id, body.at("done").get<double>()); });
  });
}

Response take_finish(const Service& service, const Request& request) {
  const Finish end{.outcome = phase_of(request.body->value("outcome", "finished")),
                   .reason = request.body->value("reason", "")};
  return changed(service, [&](Page& page) { return finish(page, request.place.at("id"), end); });
}

Response take_cancel(const Service& service, const Request& request) {
  const std::string reason = request.body->value("reason", "");
  return changed(service, [&](Page& page) { return cancel(page, request.place.at("id"), reason); });
}

Response show_nodes(const Service& service) {
  return service.ledger->read([](const Books& books) { return http::json_response(nodes_answer(books)); });
}

Response take_nodes(const Service& service, const Request& request) {
  const NodesOrder order = read_nodes_order(*request.body, *service.catalog);
  return changed(service, [&](Page& page) {
    replace_nodes(page, order);
    return http::json_response(nodes_answer(page.books));
  });
}

Response show_plan(const Service& service) {
  const LastDecision last = service.last();
  const Seconds now = service.ledger->now();
  return service.ledger->read([&](const Books& books) {
    Json plan = plan_answer(books, now);
    plan["method"] = service.method.text;
    plan["solve_s"] = last.solve.value;
    plan["cost_usd"] = last.cost.value;
    return http::json_response(plan);
  });
}

Response show_history(const Service& service, const Request& request) {
  const EventQuery query{.after = query_number(request, "after", 0),
                         .limit = query_number(request, "limit", 100),
                         .job = query_text(request, "job")};
  Json events = Json::array();
  for (const DaemonEvent& event : service.ledger->events(query)) {
    Json json = {{"seq", event.seq}, {"at_unix_s", event.at.value}, {"kind", event.kind}};
    if (!event.job.empty()) json["job"] = event.job;
    if (!event.step.empty()) json["step"] = event.step;
    json["text"] = event.text;
    events.push_back(std::move(json));
  }
  const bool full = static_cast<std::int64_t>(events.size()) == query.limit;
  const std::int64_t next = full ? events.back()["seq"].get<std::int64_t>() : 0;
  return http::json_response({{"events", std::move(events)}, {"next_after", next}});
}

Response show_metrics(const Service& service) {
  const Seconds now = service.ledger->now();
  service.ledger->read([&](const Books& books) { measure_books(books, now, *service.metrics); });
  return {.body = service.metrics->text(), .type = http::kMetricsType};
}

std::vector<http::QueryParameter> page_query(http::QueryParameter what) {
  return {{"after", http::integer_value("what comes after this number", {0, 1e15})},
          {"limit", http::integer_value("at most so many", {1, 1000})},
          std::move(what)};
}

std::vector<Route> job_routes(const Service& service) {
  return {{.verb = Verb::post,
           .path = "/v1/jobs",
           .summary = "submit a job; a repeated submission gets the first answer",
           .body = job_order_schema(),
           .answers = {{201, "the job is kept", job_schema()}},
           .handle = [service](const Request& r) { return submit_job(service, r); }},
          {.path = "/v1/jobs",
           .summary = "jobs, in the order of submission",
           .query = page_query({"state", http::word_value("only those", phase_texts())}),
           .answers = {{200, "jobs", job_list_schema()}},
           .handle = [service](const Request& r) { return list_jobs(service, r); }},
          {.path = "/v1/jobs/{id}",
           .summary = "one job",
           .answers = {{200, "the job", job_schema()}},
           .handle = [service](const Request& r) { return show_job(service, r); }},
          {.path = "/v1/jobs/{id}/explain",
           .summary = "why a job waits, and what would let it run",
           .answers = {{200, "the reason", explanation_schema()}},
           .handle = [service](const Request& r) { return explain_job(service, r); }},
          {.verb = Verb::post,
           .path = "/v1/jobs/{id}/progress",
           .summary = "how much of a job is done",
           .body = progress_schema(),
           .answers = {{200, "the job", job_schema()}},
           .handle = [service](const Request& r) { return take_progress(service, r); }},
          {.verb = Verb::post,
           .path = "/v1/jobs/{id}/finish",
           .summary = "a job is over",
           .body = finish_schema(),
           .answers = {{200, "the job", job_schema()}},
           .handle = [service](const Request& r) { return take_finish(service, r); }},
          {.verb = Verb::post,
           .path = "/v1/jobs/{id}/cancel",
           .summary = "a job is not wanted any more",
           .body = cancel_schema(),
           .answers = {{200, "the job", job_schema()}},
           .handle = [service](const Request& r) { return take_cancel(service, r); }}};
}

std::vector<Route> cluster_routes(const Service& service) {
  return {{.path = "/v1/nodes",
           .summary = "machine types and nodes",
           .answers = {{200, "nodes", nodes_schema()}},
           .handle = [service](const Request&) { return show_nodes(service); }},
          {.verb = Verb::put,
           .path = "/v1/nodes",
           .summary = "what machine types and nodes there are",
           .body = nodes_order_schema(),
           .answers = {{200, "nodes", nodes_schema()}},
           .handle = [service](const Request& r) { return take_nodes(service, r); }},
          {.path = "/v1/plan",
           .summary = "who runs where, who waits and why",
           .answers = {{200, "the plan", plan_schema()}},
           .handle = [service](const Request&) { return show_plan(service); }},
          {.path = "/v1/history",
           .summary = "all that happened, with reasons, oldest first",
           .query = page_query({"job", http::text_value("only of this job", {1, 200})}),
           .answers = {{200, "events", history_schema()}},
           .handle = [service](const Request& r) { return show_history(service, r); }}};
}

std::vector<Route> meta_routes(const Service& service) {
  return {{.path = "/metrics",
           .summary = "figures for Prometheus",
           .answers = {{.status = 200, .meaning = "text exposition format", .type = http::kMetricsType}},
           .handle = [service](const Request&) { return show_metrics(service); }},
          {.path = "/openapi.json",
           .summary = "this description",
           .answers = {{.status = 200, .meaning = "OpenAPI 3.0"}},
           .open = true,
           .handle = [](const Request&) { return http::json_response(openapi_document()); }},
          {.path = "/healthz",
           .summary = "whether the daemon answers",
           .answers = {{200, "it does", http::object_of("", {{"status", http::word_value("", {"ok"})}})}},
           .open = true,
           .handle = [](const Request&) {
             return http::json_response({{"status", "ok"}});
           }}};
}

}  // namespace

std::vector<Route> routes_of(const Service& service) {
  std::vector<Route> routes = job_routes(service);
  for (std::vector<Route> more : {cluster_routes(service), meta_routes(service)}) {
    for (Route& route : more) routes.push_back(std::move(route));
  }
  return routes;
}

http::ApiInfo api_info() {
  return {.title = "sextant plan daemon",
          .summary = "What to rent and how jobs share it, for a cluster: jobs in, decisions out.",
          .version = tool_version()};
}

Json openapi_document() {
  return http::openapi(api_info(), routes_of({}));
}

}  // namespace sextant::daemon

#include "postgres_api.h"

#include <type_traits>

#include "sextant/core/on_demand.h"

namespace sextant::study {
namespace {

template <class Pointer>
void load(const OnDemandLibrary& library, const char* name, Pointer& pointer) {
  pointer = library.function<std::remove_pointer_t<Pointer>>(name);
}

PostgresApi loaded() {
  const OnDemandLibrary library("libpq.so.5", "libpq5");
  PostgresApi api{};
  load(library, "PQclear", api.clear);
  load(library, "PQcmdTuples", api.cmd_tuples);
  load(library, "PQconnectdbParams", api.connectdb_params);
  load(library, "PQconnectionNeedsPassword", api.connection_needs_password);
  load(library, "PQerrorMessage", api.error_message);
  load(library, "PQexec", api.exec);
  load(library, "PQexecParams", api.exec_params);
  load(library, "PQfinish", api.finish);
  load(library, "PQgetlength", api.getlength);
  load(library, "PQgetvalue", api.getvalue);
  load(library, "PQntuples", api.ntuples);
  load(library, "PQresultErrorField", api.result_error_field);
  load(library, "PQresultStatus", api.result_status);
  load(library, "PQsetNoticeProcessor", api.set_notice_processor);
  load(library, "PQstatus", api.status);
  load(library, "PQtransactionStatus", api.transaction_status);
  return api;
}

}  // namespace

const PostgresApi& pq() {
  static const PostgresApi api = loaded();
  return api;
}

}  // namespace sextant::study

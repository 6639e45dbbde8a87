// The functions of PostgreSQL's client library that are used here, loaded with the first connection: it
// brings thirty libraries along.
#pragma once

#include <libpq-fe.h>

namespace sextant::study {

struct PostgresApi {
  decltype(&::PQclear) clear;
  decltype(&::PQcmdTuples) cmd_tuples;
  decltype(&::PQconnectdbParams) connectdb_params;
  decltype(&::PQconnectionNeedsPassword) connection_needs_password;
  decltype(&::PQerrorMessage) error_message;
  decltype(&::PQexec) exec;
  decltype(&::PQexecParams) exec_params;
  decltype(&::PQfinish) finish;
  decltype(&::PQgetlength) getlength;
  decltype(&::PQgetvalue) getvalue;
  decltype(&::PQntuples) ntuples;
  decltype(&::PQresultErrorField) result_error_field;
  decltype(&::PQresultStatus) result_status;
  decltype(&::PQsetNoticeProcessor) set_notice_processor;
  decltype(&::PQstatus) status;
  decltype(&::PQtransactionStatus) transaction_status;
};

const PostgresApi& pq();

}  // namespace sextant::study

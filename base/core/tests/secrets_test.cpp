// Passwords in addresses: never in what people read.
#include "sextant/core/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sextant {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Secrets, AddressesKeepAllButThePassword) {
  EXPECT_EQ(shown_address("postgresql://me:secret@host:5432/db?sslmode=require"),
            "postgresql://me:***@host:5432/db?sslmode=require");
  EXPECT_EQ(shown_address("postgresql://me@host/db?password=p&user=me"),
            "postgresql://me@host/db?password=***&user=me");
  EXPECT_EQ(shown_address("postgresql://me:one@host/db?sslpassword=two"),
            "postgresql://me:***@host/db?sslpassword=***");
  EXPECT_EQ(without_passwords(R"(host=db password='it\'s me' user=u)"), "host=db password=*** user=u");
  EXPECT_EQ(shown_address("--store=postgres://me:x@h/d"), "--store=postgres://me:***@h/d");
}

TEST(Secrets, WhatHoldsNoPasswordStays) {
  for (const char* text : {"", "study.sqlite", "postgresql://host:5432/db", "postgresql://me@host/db",
                           "a@b:c", "://", "x://:", "loss: 0.25"}) {
    EXPECT_EQ(shown_address(text), text);
    EXPECT_EQ(without_passwords(text), text);
  }
}

// Characters that end an address or a part of it when they are not written as %40.
TEST(Secrets, PasswordsThatPeopleForgetToEncode) {
  for (const std::string password : {"p@ss", "p/ss", "p?ss", "p:ss", "p ss", "p'ss", "p#ss"}) {
    EXPECT_EQ(shown_address("postgresql://me:" + password + "@host/db"), "postgresql://me:***@host/db");
  }
}

TEST(Secrets, InRunningTextAnAddressEndsAtABlank) {
  EXPECT_EQ(without_passwords("x: no study in 'postgres://a:b@h/d', nor postgres://c:d@h/d; ask me@work"),
            "x: no study in 'postgres://a:***@h/d', nor postgres://c:***@h/d; ask me@work");
}

// What libpq says of addresses that it misreads.
TEST(Secrets, WhatALibraryQuotesOfAnAddress) {
  const std::string address = "postgresql://me:swor@dfish/x@host/db";
  for (const std::string said : {R"(could not translate host name "dfish/x@host" to address)",
                                 R"(invalid integer value "swor" for connection option "port")",
                                 R"(could not parse "postgresql://me:swor@dfish/x@host/db")"}) {
    const std::string shown = without_passwords(said, address);
    EXPECT_THAT(shown, Not(HasSubstr("swor"))) << said;
    EXPECT_THAT(shown, Not(HasSubstr("dfish"))) << said;
  }
  EXPECT_EQ(without_passwords(R"(database "db" does not exist)", address), R"(database "db" does not exist)");
}

}  // namespace
}  // namespace sextant

// Passwords in addresses (postgresql://user:password@host/database?password=…) are for the server alone: what
// people read and what files keep has *** in their place.
#pragma once

#include <string>

namespace sextant {

// Of an address, or of an argument or setting that may hold one. All up to the last '@' is taken for the
// password, since people forget to write one that holds '@' or '/' as %40 or %2F.
std::string shown_address(std::string address);

// Of running text: an address in it ends at a blank or a quotation mark.
std::string without_passwords(std::string text);

// Of what a library says about `address`, of which it may quote any part.
std::string without_passwords(std::string text, const std::string& address);

}  // namespace sextant

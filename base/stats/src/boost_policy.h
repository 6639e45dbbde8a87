// How Boost's distributions are asked: arguments are checked before; what is left are results beyond the
// doubles, which become 0 or infinity.
#pragma once

#include <boost/math/policies/policy.hpp>

namespace sextant::stats {

namespace bm = boost::math;
namespace bp = boost::math::policies;
using Quiet = bp::policy<bp::overflow_error<bp::ignore_error>, bp::underflow_error<bp::ignore_error>,
                         bp::denorm_error<bp::ignore_error>, bp::evaluation_error<bp::ignore_error>>;

}  // namespace sextant::stats

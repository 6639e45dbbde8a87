// What the events of PyTorch's profiler are: categories in the words of today's Kineto, and names that tell
// what an event belongs to.
#pragma once

#include <string>
#include <string_view>

#include "sextant/spans/span.h"

namespace sextant::spans {

// Attributes of a span that came from a profile.
constexpr const char* kCategory = "category";
constexpr const char* kExternalId = "External id";   // of an operator, and of the kernels that it launched
constexpr const char* kCorrelation = "correlation";  // of a call to the driver, and of what it started

// "cpu_op" also for "Operator", "kernel" for "Kernel": older versions wrote them so. Empty for what is no
// work: frames of the recording, flows.
std::string category_of(std::string_view written);

bool is_device_category(std::string_view category);      // kernel, gpu_memcpy, gpu_memset
bool is_copy_category(std::string_view category);        // gpu_memcpy, gpu_memset
bool names_a_collective_kernel(std::string_view event);  // "ncclDevKernel_AllReduce_…"
// "gloo:all_reduce": the transfer itself, on a thread of the library's. Not "c10d::allreduce_", which only
// starts one.
bool names_a_collective_call(std::string_view event);
bool names_a_loader(std::string_view event);       // "enumerate(DataLoader)#…"
bool names_an_annotation(std::string_view event);  // "ProfilerStep#3", "Optimizer.step#SGD.step"

// The category of a span, empty where it is not from a profile.
std::string_view category(const Span& span);

}  // namespace sextant::spans

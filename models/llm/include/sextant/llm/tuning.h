// How a network that was trained before is tuned, as people write it: "lora:rank=16,on=attention,quant=nf4".
#pragma once

#include <string>

#include "sextant/llm/step_case.h"

namespace sextant::llm {

// `full` trains everything; `lora` adds two thin matrices to products, `on` qv (queries and values, as
// usual), attention or all; `qlora` is lora with quant=nf4-double; `adapter` adds prompts to layers (Zhang et
// al. 2023, arXiv 2303.16199) and `adapter-v2` scales and biases of all products and norms too. `quant` keeps
// the frozen weights as none, int8, nf4, nf4-double or fp4. An InputError says which part is wrong.
Tuning parse_tuning(const std::string& text, const nets::Decoder& model, const SourcePos& at = {});
// "lora, 4.19 M parameters trained, frozen weights in nf4"
std::string tuning_text(const Tuning& tuning);

}  // namespace sextant::llm

#pragma once

#include <memory>

#include "sim/model/model.hpp"

/// What a model's file is written with. A model is a .cpp that reads as its algorithm and defines
/// one function, which its header declares and models/catalog.cpp lists: so a model can be built
/// from another without seeing its class.
namespace hotline::models {

using model::Condition;
using model::Counter;
using model::CounterModel;
using model::differs;
using model::Duration;
using model::equals;
using model::Lock;
using model::LockModel;
using model::make;
using model::Model;
using model::Pace;
using model::ParamReader;
using model::ReadToken;
using model::ReadWriteLock;
using model::ReadWriteLockModel;
using model::Records;
using model::RecordStack;
using model::Reference;
using model::ReferenceModel;
using model::SequenceLockModel;
using model::signed_value;
using model::Site;
using model::Task;
using model::Thread;
using model::Value;
using model::Word;

/// The type of Entry::make: builds one instance at a site.
using Make = std::unique_ptr<Model>(Site& site, ParamReader& params);

}  // namespace hotline::models

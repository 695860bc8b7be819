// Who is told what a launch does, in this order. To remove an observer, delete its file and its two lines here, and
// those of the observers that include it.
#pragma once
#include "dispatch.h"

#include "access_cache.h"
#include "array_uses.h"
#include "child_grids.h"
#include "escaped_pointers.h"
#include "happens_before.h"
#include "initialization.h"
#include "lifetimes.h"
#include "local_arrays.h"
#include "maximum_work.h"
#include "races.h"
#include "read_only_loads.h"
#include "registers.h"
#include "screening.h"
#include "touched_shared.h"
#include "trace.h"
#include "traffic.h"
#include "undefined_values.h"
#include "variables.h"
#include "withholding.h"

#ifdef UNCHECKED
using Observers = List<>;
#else
using Observers = List<  //
    HappensBefore,       //
    Traffic,             //
    MaximumWork,         // reads what Traffic counts
    Screening,           //
    AccessCache,         // goes on with Traffic's requests and Screening's words
    Lifetimes,           // asks HappensBefore
    Initialization,      // asks HappensBefore
    Races,               // asks HappensBefore
    ChildGrids,          // reads what Races remembers
    ReadOnlyLoads,       //
    TouchedShared,       // reads Screening's words
    ArrayUses,           // reads them, too
    Registers,           //
    Variables,           // writes to Trace
    LocalArrays,         // the first that says whether an access of the stack is watched
    EscapedPointers,     // changes what Trace shows
    UndefinedValues,     //
    Trace,               //
    Withholding          // last: the others see what is really there
    >;
#endif

// Names for clang's thread-safety attributes, which declare which mutex guards which member.
//
// `make lint` compiles with clang's -Wthread-safety, so that using a guarded member without its
// mutex is an error. Other compilers ignore the attributes.
#pragma once  // private to its room

#ifdef __clang__
#define EBB_THREAD_ATTRIBUTE(attribute) __attribute__((attribute))
#else
#define EBB_THREAD_ATTRIBUTE(attribute)
#endif

// On a member: only used while this mutex is held. EBB_PT_GUARDED_BY: the same for the object that
// a pointer points to.
#define EBB_GUARDED_BY(mutex) EBB_THREAD_ATTRIBUTE(guarded_by(mutex))
#define EBB_PT_GUARDED_BY(mutex) EBB_THREAD_ATTRIBUTE(pt_guarded_by(mutex))

// On a function: its caller holds the mutex, or must not hold it.
#define EBB_REQUIRES(...) EBB_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define EBB_EXCLUDES(...) EBB_THREAD_ATTRIBUTE(locks_excluded(__VA_ARGS__))

// On a function: it locks or unlocks the mutex.
#define EBB_ACQUIRE(...) EBB_THREAD_ATTRIBUTE(acquire_capability(__VA_ARGS__))
#define EBB_RELEASE(...) EBB_THREAD_ATTRIBUTE(release_capability(__VA_ARGS__))

// On a class: it is a mutex, or holds one for its whole lifetime.
#define EBB_CAPABILITY(name) EBB_THREAD_ATTRIBUTE(capability(name))
#define EBB_SCOPED_CAPABILITY EBB_THREAD_ATTRIBUTE(scoped_lockable)

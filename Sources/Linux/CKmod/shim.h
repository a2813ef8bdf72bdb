// libkmod, which is opened at first use: the types of the functions that are taken from it.
#include <libkmod.h>

#define OPENED(function) typedef __typeof__(&function) opened_##function;
OPENED(kmod_new)
OPENED(kmod_unref)
OPENED(kmod_set_log_priority)
OPENED(kmod_get_dirname)
OPENED(kmod_module_new_from_lookup)
OPENED(kmod_list_next)
OPENED(kmod_module_get_module)
OPENED(kmod_module_get_path)
OPENED(kmod_module_get_name)
OPENED(kmod_module_unref)
OPENED(kmod_module_unref_list)

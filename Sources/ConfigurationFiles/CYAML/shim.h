// libyaml, the parser behind configuration files: it gives the line and column of every value.
#include <yaml.h>

// What Swift's module of the C library lacks: extended attributes, which hold the access list of a file.
#include <sys/xattr.h>

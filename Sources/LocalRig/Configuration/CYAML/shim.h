// libyaml, the parser behind configuration files: it gives the line and column of every value.
#include <yaml.h>

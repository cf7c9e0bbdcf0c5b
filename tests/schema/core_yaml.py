# SPDX-License-Identifier: MIT
"""YAML as editors read it: version 1.2 with the core schema, where 1e-3 is a number, 010 is ten and
`yes` is a text. (PyYAML by itself reads version 1.1.) Keys are texts, as in JSON."""
import re

import yaml


# libyaml, where PyYAML was built with it, reads several times as fast.
class CoreLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    yaml_implicit_resolvers = {}

    def construct_mapping(self, node, deep=False):
        result = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a key is no scalar", key.start_mark)
            if key.value in result:
                raise yaml.constructor.ConstructorError(None, None, "a key comes twice", key.start_mark)
            result[key.value] = self.construct_object(value, deep=True)
        return result

    def construct_core_map(self, node):
        return self.construct_mapping(node, deep=True)

    def construct_core_int(self, node):
        text = node.value
        for prefix, base in (("0o", 8), ("0x", 16)):
            if text.startswith(prefix):
                return int(text[2:], base)
        return int(text)


def _plain(tag, pattern):
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), None)


_plain("null", r"~|null|Null|NULL|")
_plain("bool", r"true|True|TRUE|false|False|FALSE")
_plain("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_plain("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
                r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
CoreLoader.add_constructor("tag:yaml.org,2002:map", CoreLoader.construct_core_map)
CoreLoader.add_constructor("tag:yaml.org,2002:int", CoreLoader.construct_core_int)


def load(text):
    """Raises yaml.YAMLError where the text is no YAML, or YAML that JSON has no word for."""
    return yaml.load(text, Loader=CoreLoader)

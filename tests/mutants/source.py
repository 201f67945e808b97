"""The tokens of a C++ source as clang-format leaves it, with their brackets and what each brace opens.

The style of the project is relied on: a binary operator has a space on both sides, a list of template
arguments begins without one (`min<int>`), and so does a list of values (`Point{1, 2}`).
"""

import re

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<directive>\#(?:\\\n|[^\n])*)
  | (?P<raw>R"(?P<end>[^()\\\s]*)\(.*?\)(?P=end)")
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<char>'(?:\\.|[^'\\\n])+')
  | (?P<number>\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op><=>|<<=|->|::|\.\.\.|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSES = {")": "(", "]": "[", "}": "{"}
_CONTROL = {"if", "for", "while", "switch", "catch"}
_BODY = {"body", "lambda"}


class Source:
    """text, and of each token (spaces and comments are none): what it says, its kind, where it begins;
    match: the other end of a bracket; parent: the open bracket around it, or -1; brace: of an open
    brace "body" (of a function, a loop, ..), "lambda", "list" or "other" (a namespace, a type)."""

    def __init__(self, text):
        self.text = text
        self.says, self.kind, self.at = [], [], []
        self.spaced = []  # whether white space stands before and after
        for found in _TOKEN.finditer(text):
            if found.lastgroup not in ("space", "comment"):
                kind = "raw" if found.lastgroup == "end" else found.lastgroup
                self.says.append(found.group())
                self.kind.append(kind)
                self.at.append(found.start())
                before = text[found.start() - 1 : found.start()]
                after = text[found.end() : found.end() + 1]
                self.spaced.append(before.isspace() and after.isspace())
        self._match_brackets()
        self.skipped = [False] * len(self)
        self._skip()

    def __len__(self):
        return len(self.says)

    def end(self, i):
        return self.at[i] + len(self.says[i])

    def line(self, i):
        return self.text.count("\n", 0, self.at[i]) + 1

    def said(self, i):
        return self.says[i] if 0 <= i < len(self.says) else ""

    def touches(self, i):
        """Whether no white space stands before token i."""
        return i > 0 and self.end(i - 1) == self.at[i]

    def _match_brackets(self):
        self.match, self.parent, self.brace = {}, [-1] * len(self), {}
        stack = []
        for i, says in enumerate(self.says):
            if self.kind[i] != "op":
                self.parent[i] = stack[-1] if stack else -1
                continue
            if says in _CLOSES or (says == ">" and stack and self.says[stack[-1]] == "<"):
                wanted = _CLOSES.get(says, "<")
                while stack and self.says[stack[-1]] != wanted and self.says[stack[-1]] == "<":
                    stack.pop()  # it was an operator after all
                if stack and self.says[stack[-1]] == wanted:
                    opened = stack.pop()
                    self.match[i], self.match[opened] = opened, i
            self.parent[i] = stack[-1] if stack else -1
            if says in ("(", "[", "{") or (says == "<" and self._opens_arguments(i)):
                if says == "{":
                    self.brace[i] = self._brace(i)
                stack.append(i)

    def _opens_arguments(self, i):
        if self.said(i - 1) == "template":
            return True
        return self.touches(i) and (self.kind[i - 1] == "name" or self.said(i - 1) == "]")

    def _brace(self, i):
        if self.touches(i) or self.said(i - 1) in ("=", ",", "(", "{", "return", "?", ":"):
            return "list"
        head = i - 1
        while head >= 0 and self.says[head] not in (";", "{", "}") and self.kind[head] != "directive":
            head = self.match[head] - 1 if self.says[head] in _CLOSES and head in self.match else head - 1
        words = [self.says[k] for k in range(head + 1, i) if self.kind[k] == "name"]
        first = self.said(head + 1)
        if first in ("namespace", "struct", "class", "enum", "union", "extern", "typedef"):
            return "other"
        k = i - 1
        while k > head and self.says[k] not in (")", "]"):
            k -= 1
        if k > head and self.says[k] == ")" and k in self.match:
            k = self.match[k] - 1
            if self.said(k) == ">" and k in self.match:
                k = self.match[k] - 1
        if k > head and self.says[k] == "]" and self.captures(self.match.get(k, -1)):
            return "lambda"
        if first == "template" and {"struct", "class", "concept"} & set(words[1:]) and self.said(i - 1) != ")":
            types = [w for w in words if w in ("struct", "class")]
            if self.said(self.match.get(head + 2, head) + 1) in types:
                return "other"
        return "body"

    def captures(self, i):
        """Whether the bracket [ at i begins a lambda."""
        return i >= 0 and not (self.touches(i) and (self.kind[i - 1] == "name" or self.says[i - 1] in (")", "]")))

    def inside(self, i):
        """Whether token i is in the body of a function."""
        up = self.parent[i]
        while up >= 0:
            if self.brace.get(up) in _BODY:
                return True
            up = self.parent[up]
        return False

    def closes_control(self, i):
        """Whether the ) at i ends the head of an if or a loop."""
        if self.said(i) != ")" or i not in self.match:
            return False
        before = self.match[i] - 1
        return self.said(before) in _CONTROL or (
            self.said(before) == "constexpr" and self.said(before - 1) == "if")

    def _skip(self):
        """Marks what the compiler evaluates, template arguments, and the words of an error."""
        for i, says in enumerate(self.says):
            if says == "<" and i in self.match:
                self._mark(i, self.match[i])
            if self.kind[i] != "name":
                continue
            if says in ("static_assert", "sizeof", "decltype", "alignas", "noexcept") and self.said(i + 1) == "(":
                self._mark(i, self.match.get(i + 1, i))
            elif says == "constexpr" and self.said(i - 1) == "if":
                self._mark(i, self.match.get(i + 1, i))
            elif says in ("constexpr", "throw", "using") and self.brace.get(self.parent[i]) in _BODY:
                self._mark(i, self.last(i))
            elif says == "static" and self.said(i + 1) == "const":
                self._mark(i, self.last(i))
            elif says == "case":
                k = i
                while k + 1 < len(self) and self.says[k] != ":":
                    k += 1
                self._mark(i, k)
            elif says == "requires":
                k = i + 1
                if self.said(k) == "(":
                    k = self.match.get(k, k) + 1
                self._mark(i, self.match.get(k, k) if self.said(k) == "{" else k)

    def _mark(self, first, last):
        for k in range(first, last + 1):
            self.skipped[k] = True

    def last(self, i):
        """The ; that ends the statement of token i; i itself where a block comes before."""
        k = i
        while k < len(self):
            if self.says[k] == ";":
                return k
            if self.says[k] in ("(", "[", "{") and k in self.match:
                if self.says[k] == "{" and self.brace.get(k) not in ("list", "lambda"):
                    return i
                k = self.match[k]
            elif self.says[k] in _CLOSES:
                return i
            k += 1
        return i

    def begins(self, i):
        """Whether token i begins a statement within a body."""
        if self.brace.get(self.parent[i]) not in _BODY:
            return False
        before = i - 1
        if before == self.parent[i] or self.says[before] in (";", "else", "do"):
            return True
        if self.says[before] == "}":
            return self.brace.get(self.match.get(before)) in _BODY
        if self.says[before] == ":":
            return self.skipped[before] or self.said(before - 1) == "default"
        return self.closes_control(before)

    def region(self, i, ends):
        """First and last token of the expression around token i: up to a bracket, a comma, a ; or
        one of `ends`."""
        stops = {",", ";", "?", ":", "return", "throw", "else", "do", "case"} | ends
        first = i
        while first - 1 > self.parent[i] and self.says[first - 1] not in stops:
            k = first - 1
            if k in self.match and self.says[k] in (")", "]", "}", ">"):
                if self.closes_control(k) or self.brace.get(self.match[k]) in ("body", "other"):
                    break
                k = self.match[k]
            first = k
        last = i
        while last + 1 < len(self) and self.says[last + 1] not in stops:
            k = last + 1
            if self.says[k] in _CLOSES or (self.says[k] == ">" and k in self.match):
                break
            if k in self.match:
                if self.brace.get(k) in ("body", "other"):
                    break
                k = self.match[k]
            last = k
        return first, last

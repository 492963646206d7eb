# Succeeds if a text is Markdown as `diff --markdown` and `audit --markdown` write it: everything that would be more than
# text, such as HTML, a link, a mention, a reference, or a command, is escaped or in a code span.

# Longer than each line that it writes.
length($0) > 20000 { bad = 1; exit }

/^\// { bad = 1 }

{
  rest = ""
  sub(/^(### |> )/, "")
  for (at = 1; at <= length($0); at++) {
    char = substr($0, at, 1)
    if (char == "\\") {
      at++
      rest = rest " "
    } else if (char == "`") {
      fence = ""
      while (substr($0, at, 1) == "`") { fence = fence "`"; at++ }
      # Ends at as many backticks, and not within more of them.
      do {
        found = index(substr($0, at), fence)
        if (found == 0) { bad = 1; break }
        at += found - 1 + length(fence)
        more = 0
        while (substr($0, at, 1) == "`") { more = 1; at++ }
      } while (more)
      at--
      rest = rest " "
    } else rest = rest char
  }
  gsub(/&(amp|lt|gt|NoBreak);/, " ", rest)
  if (rest ~ /[<>@#$!~^%&]|\[|\]|:[^ ]|[wW][wW][wW]\.|[gG][hH]-[0-9]/) bad = 1
  if (bad) exit
}

END { exit bad }

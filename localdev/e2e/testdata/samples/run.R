# Runs samples in R, a JSON list of texts: for each {shown}, the letters that it prints, or {bytes} of its file, or {error}.
texts <- jsonlite::fromJSON(file("stdin"))
out <- lapply(texts, function(text) tryCatch({
  shown <- capture.output(eval(parse(text = text, encoding = "UTF-8"), new.env()))
  if (file.exists("answer")) {
    bytes <- file.size("answer")
    file.remove("answer")
    list(bytes = bytes)
  } else {
    list(shown = sum(nchar(shown)))
  }
}, error = function(e) list(error = conditionMessage(e))))
cat(jsonlite::toJSON(out, auto_unbox = TRUE))

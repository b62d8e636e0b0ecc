// Package mcp is the Model Context Protocol endpoint over all services: tools by which language models ask them, made
// from their endpoint tables. It owns which tools there are, what an answer says beside the data (sources with their
// licences, date, uncertainty, links), and the limits. The endpoints answer in this process, without a request of HTTP;
// what they check, refuse and read is theirs.
//
//	tool                  asks
//	what_is_here          GET  /context/api/v1/context
//	parcel_at             GET  /cadastre/api/v1/spatial/point, parcels, radius 0
//	parcels_in            GET  /cadastre/api/v1/query
//	price_of              GET  /cadastre/api/v1/land_prices/parcel/{parcel_id},
//	                           /context/api/v1/land_prices/point or /predict, by what is given
//	land_use_at           GET  /context/api/v1/context, the block ne in words
//	find_address          GET  /cadastre/api/v1/search/address_osm
//	lookup_place          GET  /context/api/v1/lookup
//	compare_versions      GET  /cadastre/api/v1/kg/{kg}/diff
//	expand_rule_preview   POST /expander/v1/preview
//	objects_in_area       POST /landscape/api/v1/segment
//	trees_in_area         POST /landscape/api/v2/trees
//	changes_in_area       POST /landscape/api/v1/changes
//	tree_changes_in_area  POST /landscape/api/v1/changes/trees
//	terrain_of_area       POST /landscape/api/v1/terrain
//	heights_at            POST /landscape/api/v1/elevation
//	landscape_of_kg       GET  /landscape/api/v1/kg/{kg_code}
//	landscape_of_parcels  GET  /landscape/api/v1/parcels/batch
//	parcels_by_landscape  GET  /landscape/api/v1/parcels/landscape
//	kgs_by_landscape      GET  /landscape/api/v1/query/compound
//	nature_parcels        GET  /landscape/api/v1/query/nature
//	books_of_project      GET  /books/api/projects/{id}/books
//	book_state            GET  /books/api/books/{id}
//	book_pass             GET  /books/api/projects/{id}/pass
//	manuscript_report     GET  /books/api/projects/{id}/preflight
//	work_feed             GET  /workfeed/work/feed
//
// Tools of books pass the tokens of the message on, to the book service alone; a message without one is told to send it.
//
// Tools of areas ask in the background, by functions/core/tasks: they wait some seconds for the task, and name it where it is not
// over. Of a result, which may have 64 MB, they read the summary and the rows that are asked for.
//
// A message is a POST of its own and its answer is JSON: nothing is remembered between two of them, no stream is opened.
// The arguments of a tool are the parameters of its endpoints, with their schemas. What an endpoint refuses is an error
// of the tool, which names field, value and what is allowed; so the model can mend it.
//
// An answer as structured content, the same for every tool:
//
//	answer       what the endpoint answered, without its meta; several rows are a table {columns, rows}
//	total        matches, where rows are listed; next_cursor continues them
//	sources[]    {dataset, license, license_url, attribution}
//	date         {as_of: date of the data, version: generation of the data or version of the zone data}
//	uncertainty  sentences: what holds for all answers of the tool, then what this answer says of itself
//	links[]      {title, url}
//
// An answer is within 20 KB unless max_kb asks for another bound.
//
// The text of an answer says all of it too, for clients that show text alone.
package mcp

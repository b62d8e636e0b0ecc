package place

import (
	"mappe/shared/web/endpoint"
	"mappe/shared/web/reply"
)

const (
	ccBy    = "CC BY 4.0"
	ccByURL = "https://creativecommons.org/licenses/by/4.0/"
)

// The licences of the datasets. Whom to name for those without an attribution the generation says.
var (
	noticeGemeinden = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Municipality outlines"}
	noticeAddresses = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Address register"}
	noticeNatura    = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Natura 2000 sites"}
	noticeProtected = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Nationally designated protected areas"}
	noticeLegal     = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Parcels named by laws (RIS)"}
	noticePrices    = reply.Notice{License: ccBy, LicenseURL: ccByURL, Dataset: "Published land prices, and estimates made from them"}
)

// under is an endpoint with the notice of its dataset, under the tag of this service.
func under(n reply.Notice, tag string, e endpoint.Endpoint) endpoint.Endpoint {
	e.Notice, e.Tag = &n, tag
	return e
}

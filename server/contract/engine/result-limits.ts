// How large what analyses make may be. Workers load it: it imports nothing.

/** Bytes of a report before compression: more is of no use to anybody. */
export const maxReportSize = 268_435_456;
/** Characters of each name in an identity; the androguard report has all of them. */
export const maxIdentityText = 10_000;
export const maxIdentityPermissions = 2000;
/** A record costs 200 bytes in the report; the largest real apps hold some 100,000 files. */
export const maxListedFiles = 100_000;

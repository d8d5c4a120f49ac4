// The catalogue of everything a request can be refused for: id, status, message. Imports nothing.

/** `{name}` in a message is filled in where the failure is raised. Every message says what is wrong or what to do. */
export const failures = {
  'malformed-request': { status: 400, message: 'Malformed request: {reason}.' },
  'malformed-body': { status: 400, message: 'The body cannot be read: {reason}.' },
  'body-too-slow': { status: 408, message: 'The request took too long to arrive.' },
  'invalid-search': { status: 400, message: '{reason}' },
  'too-many-apks': {
    status: 400,
    message: 'These are more than {limit} APKs. Narrow the search, or take them in parts.',
  },
  'invalid-cursor': { status: 400, message: 'Invalid cursor.' },
  'upload-without-file': { status: 400, message: 'No file was submitted: send one file part or the bytes themselves.' },
  'upload-truncated': {
    status: 400,
    message: 'The upload ended before the file did; nothing was kept. Send it again.',
  },

  'not-authenticated': { status: 401, message: 'Authentication credentials were not provided.' },
  'invalid-token': { status: 401, message: 'Invalid token.' },
  'wrong-credentials': { status: 401, message: 'Unknown username or wrong password.' },
  'wrong-join-code': { status: 401, message: 'This code was used already or has expired. Ask for a new one.' },
  'wrong-login-code': { status: 401, message: 'This login link was used already or has expired. Ask for a new one.' },
  /** What the older generation of the API says where the present one has `not-allowed`. */
  'feed-not-allowed': { status: 401, message: 'The feed is open to corporate API groups only.' },

  'not-allowed': { status: 403, message: 'You do not have permission to perform this action.' },
  'private-ruleset-quota': {
    status: 403,
    message: 'Your group has {quota} private rulesets. Publish or delete one first.',
  },
  'active-ruleset-quota': {
    status: 403,
    message: 'Your group may have {quota} enabled rulesets, since each is run over every APK. Disable one first.',
  },
  'active-ruleset-size': {
    status: 403,
    message:
      'The enabled rulesets of your group may have {quota} characters together, and with this they would have {length}. Shorten or disable one first.',
  },
  'foreign-page': { status: 403, message: 'Pages of other sites may not change anything here.' },
  'wrong-signature': { status: 403, message: 'The signature of this link is wrong.' },

  'not-found': { status: 404, message: 'Not found.' },
  'invalid-page': { status: 404, message: 'Invalid page.' },
  'no-report': { status: 404, message: 'This APK has not been analysed yet.' },
  'not-comparable': {
    status: 404,
    message:
      'APKs are compared by their static reports, and there is none of {missing}. Start it by POST {address} and ask again.',
  },
  'papers-missing': {
    status: 404,
    message: 'The notices are written when the interface is built: run npm start once.',
  },
  'file-missing': { status: 404, message: 'The stored file of this APK is missing. Upload it again to restore it.' },

  'method-not-allowed': { status: 405, message: 'Method "{method}" not allowed.' },
  /** What the older generation of the API says where the present one has `no-report`. */
  'not-analysed': { status: 405, message: 'This APK has not been analysed yet.' },
  'apk-held': { status: 409, message: 'This APK is in the catalogue already.' },
  'voted-already': { status: 409, message: 'You have voted on this APK already. A vote cannot be changed.' },
  'not-promoted': { status: 409, message: 'Its author has not asked for this ruleset to be social.' },
  'undone-already': { status: 409, message: 'This was undone already.' },
  'lab-version': {
    status: 409,
    message: 'The workstation has version {theirs} and this machine {ours}: install the same on both.',
  },
  'second-factor-on': { status: 409, message: 'A second factor is set up already. Remove it first.' },
  'second-factor-off': { status: 409, message: 'No second factor is set up.' },
  'ruleset-voted-already': {
    status: 409,
    message: 'You have voted on this ruleset already. A vote cannot be changed.',
  },
  'task-gone': { status: 410, message: 'Nobody waits for this task any more.' },
  'link-lapsed': { status: 410, message: 'This link has expired. Ask for a new one.' },
  'body-too-large': { status: 413, message: 'The body is larger than {limit}.' },
  'upload-too-large': { status: 413, message: 'The file is larger than the limit of {limit}.' },
  'not-an-apk': { status: 415, message: 'The file is not an Android application: {reason}.' },
  'foreign-host': {
    status: 421,
    message: 'The workstation is not known as {host}. Its owner adds names in the settings (allowed_hosts).',
  },
  'unsupported-body': { status: 415, message: 'Unsupported media type "{type}" in request.' },
  'range-not-satisfiable': { status: 416, message: 'The file has no such range.' },
  'content-unreadable': { status: 422, message: 'This part of the APK cannot be read: {reason}.' },
  'answer-refused': { status: 422, message: 'This is no answer to the task: {reason}.' },
  'wrong-sha256': { status: 422, message: 'The uploaded bytes do not have the SHA-256 of this link.' },
  throttled: { status: 429, message: 'Request was throttled. Expected available in {seconds} seconds.' },
  'too-many-at-once': {
    status: 429,
    message: 'Request was throttled. Expected available in {seconds} seconds: too many of yours are under way.',
  },
  'headers-too-large': { status: 431, message: 'The headers of the request are too large.' },

  internal: { status: 500, message: 'The server failed. Its log has the details under the id of this request.' },
  'file-altered': { status: 500, message: 'The stored file of this APK is damaged. Upload it again to restore it.' },
  'report-damaged': { status: 500, message: 'A stored report of this APK is damaged. Have it analysed again.' },
  'not-identified': { status: 500, message: 'The file could not be identified: {reason}.' },
  'devices-off': {
    status: 503,
    message: 'No adb server is set. The owner does that in the settings (device_address).',
  },
  'device-unavailable': { status: 503, message: 'The device cannot be used: {reason}.' },
  'not-isolated': {
    status: 503,
    message:
      'The owner allows analyses only in a sandbox of the system (require_isolation), and none on this machine holds. Administration → Isolation says what to do.',
  },
  'no-backup-folder': {
    status: 409,
    message: 'No folder is set for backups by schedule (backup_folder).',
  },
  'lab-off': {
    status: 503,
    message: 'No other machines analyse here. The owner sets a Redis for them (lab_redis_url).',
  },
  'metrics-off': {
    status: 404,
    message: 'Nothing is measured here. The owner turns it on by the setting metrics.',
  },
  'content-unfinished': {
    status: 503,
    message:
      'This search looks into the files of {count} APKs and has read {read} of them. Ask again in a moment, or follow it as a content search.',
  },
  'content-ended': { status: 503, message: 'The search in contents was stopped before its end. Ask again.' },
  'no-print-engine': {
    status: 503,
    message: 'Nothing here prints PDF files: the desktop app does, or a Chromium that is installed on this machine.',
  },
  'not-printed': { status: 503, message: 'The report could not be printed: {reason}.' },
  'antivirus-off': { status: 503, message: 'No antivirus is switched on. The owner does that in the settings.' },
  'exploration-failed': { status: 503, message: 'The APK could not be looked into: {reason} Try again in a moment.' },
  'rules-not-checked': { status: 503, message: 'The rules could not be checked: {reason} Try again in a moment.' },
  'storage-refused': {
    status: 507,
    message: 'Nothing can be kept in the data folder: {reason}. Its owner makes room there, or moves it elsewhere.',
  },
  'catalogue-damaged': {
    status: 503,
    message:
      "The catalogue's database is damaged. Its owner ends the workstation and repairs it (apk-workstation repair), or restores a backup.",
  },
  stopping: { status: 503, message: 'The server is shutting down.' },
  'too-many-uploads': { status: 503, message: 'Too many uploads at once. Try again in a moment.' },
} as const;

export type FailureId = keyof typeof failures;

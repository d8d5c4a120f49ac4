// Every English text of the interface, in one place for translation. Knows nothing of where it is shown.
import { findingTitles } from './finding-texts.ts';

const plural = (count: number, one: string, many: string) =>
  `${new Intl.NumberFormat('en-GB').format(count)} ${count === 1 ? one : many}`;

const acronyms = /^(apk|axml|zip|dex|elf|jni|url|ip|sms|sdk|abi|id|xml|zip64|rsa|dsa|ssl|tls|http|crc|pin|vpn|api)$/;

const androidVersions: Record<number, string> = {
  1: '1.0',
  2: '1.1',
  3: '1.5',
  4: '1.6',
  5: '2.0',
  6: '2.0.1',
  7: '2.1',
  8: '2.2',
  9: '2.3',
  10: '2.3.3',
  11: '3.0',
  12: '3.1',
  13: '3.2',
  14: '4.0',
  15: '4.0.3',
  16: '4.1',
  17: '4.2',
  18: '4.3',
  19: '4.4',
  20: '4.4W',
  21: '5.0',
  22: '5.1',
  23: '6',
  24: '7.0',
  25: '7.1',
  26: '8.0',
  27: '8.1',
  28: '9',
  29: '10',
  30: '11',
  31: '12',
  32: '12L',
  33: '13',
  34: '14',
  35: '15',
  36: '16',
};

export const texts = {
  productName: 'APK Workstation',
  title: (page: string) => `${page} · APK Workstation`,
  percent: (value: number) => `${value} %`,

  shell: {
    skip: 'Skip to the content',
    navigation: 'Main',
    catalogue: 'Catalogue',
    jobs: 'Jobs',
    close: 'Close',
    scheme: 'Colour scheme',
    schemes: { light: 'Light', dark: 'Dark', auto: 'As the system' },
    account: (name: string) => `Account ${name}`,
    logOut: 'Log out',
    connection: { open: 'Live', connecting: 'Connecting…', offline: 'Offline' },
    version: (version: string) => `Version ${version}`,
  },

  login: {
    title: 'Log in',
    username: 'User name',
    password: 'Password',
    enter: 'Log in',
    entering: 'Logging in…',
    wrong: 'User name and password do not match.',
    linkSpent:
      'This link was used already or is too old. Log in by password, or start the workstation again for a new link.',
    expired: 'Your session ended. Log in to go on where you were.',
    hint: 'The workstation prints a one-time log-in link when it starts.',
  },
  password: {
    menu: 'Password…',
    title: 'Change the password',
    welcome: 'Choose a password',
    welcomeText: (name: string) =>
      `You are the owner of this workstation, as “${name}”. A password opens it from other browsers and after this session.`,
    current: 'Current password',
    new: 'New password',
    rule: (length: number) => `At least ${length} characters`,
    again: 'The same again',
    mismatch: 'The two are not the same.',
    save: 'Save',
    skip: 'Skip for now',
    back: 'Back',
    saved: 'The password is set.',
  },

  state: {
    loading: 'Loading…',
    failed: 'That did not work',
    retry: 'Try again',
    unreachable: 'The workstation cannot be reached.',
    offline:
      'The workstation cannot be reached. What you see may be out of date; it is updated once the connection is back.',
    status: (status: number) => `The workstation answered with status ${status}.`,
  },
  notFound: { title: 'There is nothing at this address', text: 'The link may be from another version.' },

  hostile: {
    hiddenCharacter: 'A character that does not show or that reorders the text',
    stackedMarks: (count: number) => `${count} marks`,
    more: (count: number) => `show ${plural(count, 'character', 'characters')} more`,
  },
  copy: { label: (what: string) => `Copy ${what}`, done: 'Copied', failed: 'Could not be copied' },
  filter: {
    placeholder: 'Filter',
    of: (what: string) => `Filter ${what}`,
    count: (shown: string, total: string) => `${shown} of ${total}`,
    rest: (count: number) => `and ${plural(count, 'more', 'more')}`,
    copyShown: 'Copy all shown',
  },

  search: {
    label: 'Search the catalogue',
    placeholder: 'Search: name, package, hash, permission:SEND_SMS, size:>2097152, detected:true …',
    clear: 'Clear the search',
    results: 'Search results',
    fault: 'This search is not understood',
    end: '(end)',
    hint: 'Fields stand before a colon (app:, package:, cert:, tag:, url:, permission:); words combine with AND, OR, NOT and parentheses.',
  },

  shortcuts: {
    title: 'Keyboard shortcuts',
    hint: 'Shortcuts: ?',
    or: 'or',
    general: 'Everywhere',
    list: 'List',
    help: 'This list',
    search: 'Search',
    catalogue: 'Go to the catalogue',
    jobs: 'Go to the jobs',
    tray: 'Open or close the jobs tray',
    next: 'Next',
    previous: 'Previous',
    first: 'First',
    last: 'Last',
    pageDown: 'Twenty on',
    pageUp: 'Twenty back',
    open: 'Open',
    apk: { group: 'APK', nextTab: 'Next part', previousTab: 'Previous part', back: 'Back to the catalogue' },
  },

  uploads: {
    title: 'Uploads',
    add: 'Add APKs',
    pickFiles: 'Files…',
    pickFolder: 'Folder…',
    drop: 'Drop APKs or folders',
    dropHint: 'They are stored, analysed and added to the catalogue.',
    states: {
      waiting: 'waiting',
      uploading: 'uploading',
      checking: 'checking',
      added: 'in catalogue',
      held: 'already held',
      refused: 'refused',
      cancelled: 'cancelled',
    },
    unreachable: 'The workstation could not be reached.',
    retry: 'Send again',
    retryAll: 'Send failed again',
    cancel: 'Cancel',
    cancelAll: 'Cancel all',
    clear: 'Clear',
    finished: 'Uploads finished',
    running: (count: string, done: string) => `Uploading ${count} (${done})`,
    summary: (summary: {
      total: number;
      waiting: number;
      active: number;
      added: number;
      held: number;
      refused: number;
      cancelled: number;
      leftAside: number;
    }) =>
      [
        summary.waiting + summary.active > 0 ? `${summary.waiting + summary.active} to go` : '',
        `${summary.added} added`,
        summary.held > 0 ? `${summary.held} already held` : '',
        summary.refused > 0 ? `${summary.refused} refused` : '',
        summary.cancelled > 0 ? `${summary.cancelled} cancelled` : '',
        summary.leftAside > 0 ? `${plural(summary.leftAside, 'other file', 'other files')} left aside` : '',
      ]
        .filter((part) => part !== '')
        .join(' · '),
  },

  jobs: {
    tray: 'Running and waiting',
    trayLabel: (count: number) => (count === 0 ? 'Jobs: none running' : `Jobs: ${count} running or waiting`),
    all: 'All jobs',
    none: 'Nothing is running',
    noneText: 'Analyses appear here while they wait and run, and stay with their result.',
    more: (count: number) => `and ${plural(count, 'more', 'more')}`,
    counts: (running: number, queued: number) =>
      running + queued === 0
        ? 'No jobs'
        : `${running} running · ${new Intl.NumberFormat('en-GB').format(queued)} waiting`,
    kinds: { static: 'Static analysis', dynamic: 'Dynamic analysis', yara: 'YARA scan' } as Record<string, string>,
    states: { queued: 'waiting', running: 'running', done: 'done', partial: 'partial', failed: 'failed' },
    cancel: 'Cancel',
    gone: 'APK no longer held',
    choice: 'Which jobs',
    choices: { all: 'All', active: 'Running and waiting', failed: 'Failed and partial' },
  },

  verdicts: {
    detected: 'Detected',
    corrupted: 'Corrupted',
    trusted: 'Trusted',
    installed: 'On a device',
    notAnalyzed: 'Not analysed',
    partial: 'Partial report',
    partialText: 'The analysis did not reach its end; what it found until then is shown.',
    file: { missing: 'File missing', altered: 'File altered' },
  },

  catalogue: {
    loading: 'Loading the catalogue…',
    columns: ['', 'App', 'Verdicts and tags', 'Version', 'Signer', 'SHA-256', 'Size', 'Rating', 'Added'],
    count: (formatted: string, count: number) => `${formatted} ${count === 1 ? 'APK' : 'APKs'}`,
    arrived: (count: number) => `${plural(count, 'new APK', 'new APKs')}`,
    emptyTitle: 'The catalogue is empty',
    emptyText: 'Drop APKs or whole folders anywhere on this window, or pick them here.',
    firstSteps: [
      'Each APK is stored encrypted and analysed at once, on this machine.',
      'Its page shows what it asks for, what it can do and who signed it.',
      'Large collections come in by the command line: “import”.',
    ],
    nothingFound: 'Nothing matches',
    nothingFoundText: 'Words match app name, package and company in part, and hashes in full.',
  },

  apk: {
    unnamed: '(no name)',
    packageName: 'package name',
    added: (when: string) => `added ${when}`,
    parts: 'Parts of the report',
    tabs: {
      summary: 'Summary',
      permissions: 'Permissions',
      components: 'Components',
      signature: 'Signature',
      indicators: 'Indicators',
      code: 'Functionalities',
      libraries: 'Libraries',
      native: 'Native',
      manifest: 'Manifest',
      files: 'Files',
      raw: 'Raw',
    },
    loadingReport: 'Loading the report…',
    analysisFailed: 'The analysis failed',
    analysisQueued: 'Waiting to be analysed',
    analysisRuns: 'The analysis is running',
    notAnalyzed: 'Not analysed yet',
    notAnalyzedText: 'Start an analysis with the button above.',
    notFound: 'This APK is not held here',
    notFoundText: 'It may have been deleted, or the address is wrong.',
    analyseAgain: 'Analyse',
    analyse: { static: 'Static analysis', dynamic: 'Dynamic analysis', yara: 'YARA scan' },
    download: 'Download the APK',
    delete: 'Delete',
    deleteTitle: 'Delete this APK?',
    deleteText: 'The file, its reports and its matches are removed. This cannot be undone.',
    keep: 'Keep it',
  },

  severities: { critical: 'critical', high: 'high', medium: 'medium', low: 'low', info: 'info' },
  /** `zip-long-name` as “ZIP long name”, where it has no title of its own. */
  findingTitle: (code: string) => {
    const known = Object.hasOwn(findingTitles, code) ? findingTitles[code] : undefined;
    if (known !== undefined) return known;
    const words = code.split('-').map((word) => (acronyms.test(word) ? word.toUpperCase() : word));
    const title = words.join(' ');
    return title.charAt(0).toUpperCase() + title.slice(1);
  },
  androidVersion: (level: number) => {
    const version = androidVersions[level];
    return version === undefined ? 'unknown version' : `Android ${version}`;
  },

  summary: {
    findings: 'Findings',
    noFindings: 'Nothing was found that stands out.',
    moreEvidence: (count: number) => `show ${plural(count, 'place', 'places')} more`,
    open: 'Show all',
    signer: 'Signed by',
    app: 'App',
    platform: {
      min: 'Runs from',
      target: 'Made for',
      main: 'Main activity',
      code: 'Code',
      components: 'Components',
      abis: 'Native code',
    },
    codeCounts: (code: { dexes: number; classes: number; methods: number; instructions: number }) =>
      [
        plural(code.dexes, 'dex', 'dexes'),
        plural(code.classes, 'class', 'classes'),
        plural(code.methods, 'method', 'methods'),
        plural(code.instructions, 'instruction', 'instructions'),
      ].join(' · '),
    abilities: 'What its code can do',
    noAbilities: 'No sensitive functionality was found in the code.',
    contacts: (count: number) => `Whom it may contact (${plural(count, 'domain', 'domains')})`,
    contactCounts: (urls: number, domains: number, ips: number, emails: number) =>
      [
        plural(urls, 'URL', 'URLs'),
        plural(domains, 'domain', 'domains'),
        plural(ips, 'IP address', 'IP addresses'),
        plural(emails, 'e-mail address', 'e-mail addresses'),
      ].join(' · '),
    detections: 'Why it counts as detected',
    dangerous: (dangerous: number, total: number) => `Dangerous permissions (${dangerous} of ${total})`,
    noDangerous: 'It asks for no dangerous permission.',
    exported: (count: number) => `Open to other apps (${plural(count, 'component', 'components')})`,
    noExported: 'No component is open to other apps.',
    trackers: (count: number) => `Trackers (${count})`,
    noTrackers: 'No known tracker was found.',
  },

  functionalities: {
    SMS: 'SMS',
    MMS: 'MMS',
    ads: 'Advertising',
    accounts: 'Accounts',
    browser_history: 'Browser history',
    camera: 'Camera',
    crypto: 'Cryptography',
    dynamicbroadcastreceiver: 'Dynamic receivers',
    iccid: 'SIM serial number',
    imei: 'IMEI',
    imsi: 'IMSI',
    installedapplications: 'Installed apps',
    mcc: 'Network operator',
    phonecall: 'Phone calls',
    phonenumber: 'Phone number',
    runbinary: 'Runs programs',
    sensor: 'Sensors',
    serialno: 'Serial number',
    socket: 'Network',
    ssl: 'TLS',
  } as Record<string, string>,

  permissions: {
    none: 'The app asks for no permission',
    filter: 'Filter permissions',
    columns: ['Permission', 'What it allows', 'Notes'],
    levels: {
      dangerous: 'dangerous',
      signatureOrSystem: 'signature or system',
      signature: 'signature',
      internal: 'internal',
      unknown: 'unknown',
      normal: 'normal',
    },
    levelNotes: {
      dangerous: 'granted by the user at run time',
      signatureOrSystem: 'for apps of the system image',
      signature: 'for apps signed by whoever defines it',
      internal: 'granted by the system itself',
      unknown: 'defined neither by Android nor by this app',
      normal: 'granted at installation',
    },
    definedBy: { android: 'Android', app: 'defined by this app', unknown: 'unknown origin' },
    maxSdk: (level: number) => `up to SDK ${level}`,
  },

  components: {
    none: 'The app declares no component',
    filter: 'Filter components',
    kindChoice: 'Kind of component',
    all: 'All',
    kind: {
      activity: 'activity',
      'activity-alias': 'alias',
      service: 'service',
      receiver: 'receiver',
      provider: 'provider',
    },
    kinds: {
      activity: 'activities',
      'activity-alias': 'aliases',
      service: 'services',
      receiver: 'receivers',
      provider: 'providers',
    },
    onlyExported: 'Exported only',
    exported: 'exported',
    unprotected: 'no permission',
    internal: 'internal',
    implicit: 'by default',
    implicitText: 'The manifest does not say; Android decides by the intent filters and the target SDK.',
    disabled: 'disabled',
    permission: 'permission',
    read: 'read permission',
    write: 'write permission',
    process: 'process',
    authorities: 'authorities',
    target: 'target',
    actions: 'actions',
    categories: 'categories',
    data: 'data',
    priority: 'priority',
    autoVerify: 'auto verify',
    yes: 'yes',
    metaData: 'meta-data',
  },

  signature: {
    verified: 'Signature verifies',
    notVerified: 'Signature does not verify',
    since: (level: number) => `as Android decides it, from SDK ${level} on`,
    columns: ['Scheme', 'Verdict', 'Algorithms', 'Signers', 'Messages'],
    absent: 'absent',
    unchecked: 'not checked',
    verifies: 'verifies',
    fails: 'fails',
    noCertificate: 'No certificate could be read.',
    unverifiedCertificate: 'Certificate (not verified)',
    signer: (number: number, count: number) => (count === 1 ? 'Signer' : `Signer ${number} of ${count}`),
    chain: (index: number) => `Certificate ${index + 1} of the chain`,
    lineage: 'Lineage, oldest first',
    generation: (number: number) => `Key ${number}`,
    subject: 'Subject',
    issuer: 'Issuer',
    selfSigned: 'self-signed',
    valid: 'Valid',
    key: 'Key',
    serial: 'Serial number',
    keySha256: 'Key SHA-256',
    stamp: 'Source stamp',
    block: 'APK signing block',
    unknownPair: 'unknown',
  },

  indicators: {
    kindChoice: 'Kind of indicator',
    kinds: { urls: 'URLs', domains: 'Domains', ips: 'IP addresses', emails: 'E-mail', strings: 'Strings' },
    none: 'None were found',
    places: (count: number) => plural(count, 'place', 'places'),
    morePlaces: (count: number) => `and ${plural(count, 'more place', 'more places')}`,
  },

  libraries: {
    none: 'No known library was found',
    columns: ['Name', 'Kind', 'Packages', 'Classes', 'Evidence'],
    trackers: 'trackers',
    known: 'libraries',
    shared: 'Shared libraries the manifest asks for:',
  },

  native: {
    none: 'The app has no native code',
    empty: 'None',
    partChoice: 'Part of the library',
    parts: { jni: 'JNI methods', exports: 'Exports', imports: 'Imports', needed: 'Needed', strings: 'Strings' },
  },

  manifest: {
    search: 'Search the manifest',
    previous: 'Previous hit',
    next: 'Next',
    copy: 'Copy all',
    unreadable: 'The manifest cannot be decoded',
  },

  files: {
    sort: 'Sort by this column',
    columns: {
      name: 'Name',
      type: 'Type',
      size: 'Size',
      compressed: 'Compressed',
      method: 'Method',
      crc32: 'CRC-32',
      sha256: 'SHA-256',
    },
  },

  raw: { part: 'Report', copy: 'Copy', save: 'Save as a file' },
};

// Shapes of the analysis reports, in their wire names. Imports zod only.

import { z } from 'zod';
import { type Finding, findingSchema } from '../findings/finding.ts';
import { bundleSchema, maxBundles } from './bundles.ts';
import type { ChildWay } from './child.ts';
import { decodedTextsSchema } from './evidence.ts';

const codeReferenceSchema = z.object({
  /** Descriptor of the calling class, `Lcom/example/A;`. */
  class: z.string(),
  method: z.string(),
  /** The instruction as androguard 3 prints it. */
  code: z.string(),
});

/** The names under which functionalities are reported, in the original's spelling. */
export const functionalityNames = [
  'SMS',
  'MMS',
  'ads',
  'accounts',
  'browser_history',
  'camera',
  'crypto',
  'dynamicbroadcastreceiver',
  'iccid',
  'imei',
  'imsi',
  'installedapplications',
  'mcc',
  'phonecall',
  'phonenumber',
  'runbinary',
  'sensor',
  'serialno',
  'socket',
  'ssl',
] as const;

const certificateSchema = z.object({
  /** Upper-case hex, without colons. */
  sha1: z.string(),
  sha256: z.string(),
  serial: z.string(),
  /** `/C=…/CN=…` */
  subjectDN: z.string(),
  issuerDN: z.string(),
  /** `May 29 02:52:51 2015 GMT` */
  not_before: z.string(),
  not_after: z.string(),
  signature_algorithm: z.string(),
  /** For example `RSA 2048`, `EC secp256r1`, `DSA 1024`. */
  public_key: z.string(),
  public_key_sha256: z.string(),
});
export type CertificateRecord = z.infer<typeof certificateSchema>;

const signatureSchemeNames = ['v1', 'v2', 'v3', 'v3.1', 'v4'] as const;

const schemeVerdictSchema = z.object({
  scheme: z.enum(signatureSchemeNames),
  present: z.boolean(),
  /** null: not checked (v4 lives in a file beside the APK; an older scheme that no supported platform looks at). */
  verified: z.boolean().nullable(),
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
  signers: z.array(
    z.object({
      certificates: z.array(certificateSchema),
      /** For example `SHA256_WITH_RSA`; one for each signature that was there. */
      algorithms: z.array(z.string()),
      min_sdk_version: z.number().nullable(),
      max_sdk_version: z.number().nullable(),
    }),
  ),
});
export type SchemeVerdict = z.infer<typeof schemeVerdictSchema>;

export const signatureReportSchema = z.object({
  /** What Android would say, for every platform version from the app's min SDK on. */
  verified: z.boolean(),
  min_sdk_version: z.number(),
  schemes: z.array(schemeVerdictSchema),
  /** Certificates of the signers that decide on the newest platform, one chain per signer, the signer's own first. */
  signers: z.array(z.array(certificateSchema)),
  /** Proof of rotation, oldest first. */
  lineage: z.array(z.object({ certificate: certificateSchema, flags: z.array(z.string()) })),
  /** The pairs of the APK Signing Block in their order; `name` is empty for an unknown id. */
  signing_block: z.array(z.object({ id: z.string(), name: z.string(), size: z.number() })),
  /** The distributor's stamp; it never decides over `verified`. null: the APK claims none. */
  source_stamp: z
    .object({
      verified: z.boolean(),
      certificates: z.array(certificateSchema),
      errors: z.array(z.object({ code: z.string(), message: z.string() })),
    })
    .nullable(),
  /** What concerns several schemes or the archive as a whole. */
  errors: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type SignatureReport = z.infer<typeof signatureReportSchema>;

const intentFilterSchema = z.object({
  actions: z.array(z.string()),
  categories: z.array(z.string()),
  /** Attributes of the `data` elements, as written: scheme, host, port, path, pathPrefix, pathPattern, mimeType … */
  data: z.array(z.record(z.string(), z.string())),
  priority: z.number().nullable(),
  auto_verify: z.boolean(),
});

export const componentSchema = z.object({
  kind: z.enum(['activity', 'activity-alias', 'service', 'receiver', 'provider']),
  name: z.string(),
  /** As Android decides: the attribute, else by intent filters and target SDK. */
  exported: z.boolean(),
  /** The attribute's own value, null where it is absent. */
  exported_attribute: z.boolean().nullable(),
  enabled: z.boolean(),
  permission: z.string().nullable(),
  read_permission: z.string().nullable(),
  write_permission: z.string().nullable(),
  process: z.string().nullable(),
  authorities: z.array(z.string()),
  target_activity: z.string().nullable(),
  intent_filters: z.array(intentFilterSchema),
  meta_data: z.record(z.string(), z.string()),
});
export type ComponentRecord = z.infer<typeof componentSchema>;

export const permissionDetailSchema = z.object({
  name: z.string(),
  /** Base level: normal, dangerous, signature, internal; `unknown` where neither the platform nor the app defines it. */
  protection_level: z.enum(['normal', 'dangerous', 'signature', 'signatureOrSystem', 'internal', 'unknown']),
  /** Protection flags: privileged, appop, development … */
  flags: z.array(z.string()),
  defined_by: z.enum(['android', 'app', 'unknown']),
  max_sdk_version: z.number().nullable(),
  description: z.string().nullable(),
});
export type PermissionDetail = z.infer<typeof permissionDetailSchema>;

const indicatorSchema = z.object({
  value: z.string(),
  /** Places, `classes.dex`, `Lcom/a/B;->m()V`, `lib/arm64-v8a/libx.so`, `res/values strings`, `AndroidManifest.xml`. */
  where: z.array(z.string()),
});

const indicatorsSchema = z.object({
  urls: z.array(indicatorSchema),
  domains: z.array(indicatorSchema),
  ips: z.array(indicatorSchema),
  emails: z.array(indicatorSchema),
});
export type Indicators = z.infer<typeof indicatorsSchema>;

const codeOriginSchema = z.object({
  name: z.string(),
  categories: z.array(z.string()),
  website: z.string().nullable(),
  /** The package prefix that identified it. */
  prefix: z.string(),
  /** How many classes of the app stand under it, and one of them. */
  classes: z.number(),
  evidence: z.string(),
});

const nativeLibrarySchema = z.object({
  path: z.string(),
  abi: z.string(),
  machine: z.string(),
  soname: z.string().nullable(),
  needed: z.array(z.string()),
  imports: z.array(z.string()),
  exports: z.array(z.string()),
  /** Exported `Java_*` functions and whether `JNI_OnLoad` is there. */
  jni: z.object({ on_load: z.boolean(), methods: z.array(z.string()) }),
  strings: z.array(z.string()),
  sha256: z.string(),
  size: z.number(),
});
export type NativeLibraryRecord = z.infer<typeof nativeLibrarySchema>;

/** The static report in androguard's keys; the keys after `functionalities` are additions of this workstation. */
export const androguardReportSchema = z.object({
  app_name: z.string(),
  package_name: z.string(),
  displayed_version: z.string(),
  version_code: z.string(),
  main_activity: z.string(),
  signature_name: z.string(),
  min_sdk_version: z.number().nullable(),
  target_sdk_version: z.number().nullable(),
  max_sdk_version: z.number().nullable(),
  activities: z.array(z.string()),
  services: z.array(z.string()),
  receivers: z.array(z.string()),
  providers: z.array(z.string()),
  filters: z.array(z.string()),
  permissions: z.array(z.string()),
  new_permissions: z.array(z.string()),
  urls: z.array(z.string()),
  libraries: z.array(z.string()),
  certificate: certificateSchema.nullable(),
  /** By dex name without its ending: `classes`, `classes2`. */
  dexes: z.record(z.string(), z.object({ sha256: z.string(), ssdeep: z.string() })),
  api_key: z.record(z.string(), z.string()),
  cordova: z.string().nullable(),
  wearable: z.boolean(),
  androidtv: z.boolean(),
  functionalities: z.partialRecord(z.enum(functionalityNames), z.array(codeReferenceSchema)),

  app_names: z.record(z.string(), z.string()),
  application: z.record(z.string(), z.string()),
  features: z.array(z.object({ name: z.string(), required: z.boolean() })),
  components: z.array(componentSchema),
  permission_details: z.array(permissionDetailSchema),
  /** Asked for and used by code, with a place; absent in reports of before. */
  permissions_in_use: z
    .array(z.object({ name: z.string(), count: z.number(), where: z.string(), code: z.string() }))
    .optional(),
  /** Not asked for, and granted by Android because of another permission or of an old target SDK. */
  implied_permissions: z.array(
    z.object({ name: z.string(), max_sdk_version: z.number().nullable(), reason: z.string() }),
  ),
  indicators: indicatorsSchema,
  signature: signatureReportSchema,
  trackers: z.array(codeOriginSchema),
  known_libraries: z.array(codeOriginSchema),
  native_libraries: z.array(nativeLibrarySchema),
  /** Code of other runtimes that the app carries; absent in reports of before. */
  bundles: z.array(bundleSchema).max(maxBundles).optional(),
  code: z.object({ dexes: z.number(), classes: z.number(), methods: z.number(), instructions: z.number() }),
  findings: z.array(findingSchema),
});
export type AndroguardReport = z.infer<typeof androguardReportSchema>;

export const cuckooReportSchema = z.object({
  info: z.record(z.string(), z.unknown()),
  target: z.object({
    category: z.literal('file'),
    file: z.object({
      name: z.string(),
      size: z.number(),
      type: z.string(),
      /** Upper-case hex, 8 digits. */
      crc32: z.string(),
      md5: z.string(),
      sha1: z.string(),
      sha256: z.string(),
      sha512: z.string(),
      ssdeep: z.string(),
    }),
  }),
  network: z.object({
    http: z.array(z.record(z.string(), z.unknown())),
    dns: z.array(z.record(z.string(), z.unknown())),
    domains: z.array(z.record(z.string(), z.unknown())),
    hosts: z.array(z.string()),
    tcp: z.array(z.record(z.string(), z.unknown())),
    udp: z.array(z.record(z.string(), z.unknown())),
    smtp: z.array(z.record(z.string(), z.unknown())),
    irc: z.array(z.record(z.string(), z.unknown())),
  }),
  behavior: z.object({
    summary: z.object({ files: z.array(z.string()), keys: z.array(z.string()), mutexes: z.array(z.string()) }),
  }),
  signatures: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      /** 1 (note) to 5 (critical). */
      severity: z.number(),
      marks: z.array(z.unknown()),
    }),
  ),
  strings: z.array(z.string()),
});
export type CuckooReport = z.infer<typeof cuckooReportSchema>;

/** What the dynamic analysis fills of the cuckoo report. */
export type CuckooParts = Pick<CuckooReport, 'network' | 'behavior'>;

/** What equal things that were seen several times carry. */
const repeatedSchema = {
  count: z.number().optional(),
  /** Virtual seconds since the app's start, of the last time. */
  last: z.number().optional(),
};

/** What every entry of DroidBox's report carries. */
const observedSchema = {
  pid: z.number(),
  tid: z.number(),
  processname: z.string(),
  /** Virtual seconds since the app's start. */
  time: z.number(),
  /** Tags of the data, where it is tainted: `TAINT_IMEI` … */
  dataleak: z.array(z.string()).optional(),
  ...repeatedSchema,
};
/** Data is text, or lower-case hex where it is binary. */
const fileUseSchema = z.object({ name: z.string(), data: z.string(), ...observedSchema });
const fileNameSchema = z.object({ name: z.string(), ...observedSchema });
const connectionSchema = z.object({ desthost: z.string(), destport: z.number(), ...observedSchema });

/** `head`: the first line and the headers. */
const httpMessageSchema = z.object({ head: z.string(), body: z.string() });

/** What a person sees on a screen, in pixels; `dialog` holds what follows it. */
const screenItemSchema = z.object({
  kind: z.enum(['text', 'field', 'password', 'button', 'check', 'picture', 'page', 'dialog']),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** What stands there: of a field what was typed. */
  text: z.string().optional(),
  hint: z.string().optional(),
  is_checked: z.boolean().optional(),
});
export type ScreenItem = z.infer<typeof screenItemSchema>;

/** How much of some code a run has reached. */
const ranSchema = {
  methods_total: z.number(),
  methods_executed: z.number(),
  instructions_total: z.number(),
  instructions_executed: z.number(),
};

const sensitiveCallSchema = z.object({
  /** The method that holds the call, `Lcom/a/B;->m(I)V`. */
  method: z.string(),
  /** Of the call, in code units. */
  address: z.number(),
  /** What is called, `android.telephony.SmsManager.sendTextMessage`. */
  api: z.string(),
  /**
   * `observed`; `solved`: once the app was told what `inputs` say; `forced`: once branches were made to lead there; else
   * `unreached`.
   */
  state: z.enum(['observed', 'solved', 'forced', 'unreached']),
  /**
   * Different calls that were seen: the arguments, what the object that they were made on says of itself, and of a forced
   * call which arguments (from 0) are made up, as the app would have had them from what it was not given.
   */
  values: z.array(
    z.object({
      on: z.string().optional(),
      arguments: z.array(z.string()),
      made_up: z.array(z.number()).optional(),
    }),
  ),
  /** Of a solved call: which method or constant of the platform has to tell the app what. */
  inputs: z.array(z.object({ source: z.string(), value: z.string() })).optional(),
  /**
   * Why the app did not get there by itself, beginning with one word: dead, native, model, exception, branch, waits, entry or
   * budget. Empty of an observed call.
   */
  reason: z.string(),
});

/** The dynamic report in DroidBox's keys; the keys after `dataleaks` are additions of this workstation. */
export const dynamicReportSchema = z.object({
  fileswritten: z.array(fileUseSchema),
  filesread: z.array(fileUseSchema),
  filesopen: z.array(fileNameSchema),
  filesdeleted: z.array(fileNameSchema),
  opennet: z.array(connectionSchema),
  closenet: z.array(connectionSchema),
  /** `encrypted`: by TLS; absent where nobody could tell. */
  sendnet: z.array(connectionSchema.extend({ data: z.string(), encrypted: z.boolean().optional() })),
  recvnet: z.array(z.object({ srchost: z.string(), srcport: z.number(), data: z.string(), ...observedSchema })),
  dns: z.array(z.object({ hostname: z.string(), ip: z.string() })),
  dexclass: z.array(z.object({ path: z.string(), ...observedSchema })),
  libraries: z.array(fileNameSchema),
  servicestart: z.array(fileNameSchema),
  cryptousage: z.array(
    z.object({
      algorithm: z.string(),
      /** `encryption`, `decryption`, `keyalgo`, `hash`, `mac`, `sign`, `verify`, `derive` */
      operation: z.string(),
      /** Bytes in decimal, as DroidBox has them. */
      key: z.string(),
      /** The same bytes in lower-case hex, as are those of `iv`. */
      key_hex: z.string().optional(),
      /** Of a cipher: `CBC`, `GCM` … */
      mode: z.string().optional(),
      /** Initialisation vector or nonce. */
      iv: z.string().optional(),
      /** What went in: the plain text of an encryption, the cipher text of a decryption. */
      data: z.string(),
      /** What came out. */
      result: z.string().optional(),
      ...observedSchema,
    }),
  ),
  sendsms: z.array(z.object({ number: z.string(), message: z.string(), ...observedSchema })),
  phonecalls: z.array(z.object({ number: z.string(), ...observedSchema })),
  recvsaction: z.array(z.object({ name: z.string(), action: z.string(), ...observedSchema })),
  enfperm: z.array(z.object({ permission: z.string(), ...observedSchema })),
  dataleaks: z.array(
    z.object({
      /** The method that took the data, `SmsManager.sendTextMessage`. */
      sink: z.string(),
      /** `network`, `sms`, `log`, `file`, `intent`, `command`, `provider` */
      kind: z.string(),
      /** Where to: host and port, number, path, action. */
      target: z.string(),
      tags: z.array(z.string()),
      /** Where each part of the data was read, by which method or in which field; absent in reports of before. */
      sources: z.array(z.object({ tag: z.string(), api: z.string(), place: z.string() })).optional(),
      /** Where the data was read, the methods it went through, the sink. */
      path: z.array(z.string()),
      /** Only a decision depends on the data, not what was sent. */
      implicit: z.boolean(),
      ...observedSchema,
    }),
  ),

  /** Command lines that the app ran. */
  commands: z.array(z.object({ command: z.string(), ...observedSchema })),
  log: z.array(z.object({ level: z.string(), tag: z.string(), message: z.string(), ...observedSchema })),
  /** Requests over HTTP; what the simulated internet answered is made up. Absent in reports of before. */
  http: z
    .array(
      z.object({
        method: z.string(),
        url: z.string(),
        request: httpMessageSchema,
        answer: httpMessageSchema.extend({ status: z.number() }),
        ...observedSchema,
      }),
    )
    .optional(),
  timeline: z.array(
    z.object({
      time: z.number(),
      component: z.string(),
      category: z.string(),
      summary: z.string(),
      ...repeatedSchema,
    }),
  ),
  /** Screens as a person saw them, different ones once; absent in reports of before. */
  screens: z
    .array(
      z.object({
        time: z.number(),
        component: z.string(),
        width: z.number(),
        height: z.number(),
        items: z.array(screenItemSchema),
      }),
    )
    .optional(),
  coverage: z.object({
    ...ranSchema,
    /** Of the app's own code, without that of known libraries; absent in reports of before. */
    own: z.object(ranSchema).optional(),
    /** Every place in own code that calls something sensitive; absent in reports of before. */
    sensitive_calls: z.array(sensitiveCallSchema).optional(),
    /** Methods with sensitive calls that did not run, and what would reach them. */
    unreached: z.array(z.object({ method: z.string(), api: z.string(), reached_by: z.string() })),
  }),
  /** Code that was written, decrypted, fetched, loaded or handed over at run time; its bytes are kept under their SHA-256. */
  artefacts: z.array(z.object({ sha256: z.string(), size: z.number(), kind: z.string(), path: z.string() })),
  /** Texts that the code made of data, decrypted or decoded, where it uses them; absent in reports of before. */
  decoded: decodedTextsSchema.optional(),
  /** What the app compares with what is typed; absent in reports of before. */
  comparisons: z
    .array(
      z.object({
        /** `Lcom/a/B;->m(I)V` */
        method: z.string(),
        /** Of the branch, in code units. */
        address: z.number(),
        /** The field, `android.widget.EditText.getText of the field "PIN"`. */
        source: z.string(),
        /** What it is compared with, maybe encoded, encrypted or a hash; bytes in lower-case hex. */
        text: z.string(),
        /** What has to be typed so that they agree; absent where nothing was found. */
        input: z.string().optional(),
      }),
    )
    .optional(),
  /** Methods of the platform that nothing models, with the number of calls. */
  unmodelled: z.array(z.object({ method: z.string(), count: z.number() })),
  /** Exceptions that would have ended the app. */
  crashes: z.array(
    z.object({
      time: z.number(),
      component: z.string(),
      exception: z.string(),
      at: z.string(),
      /** The app's own code, or a model of the platform, which may be wrong; absent where nobody could tell. */
      thrown_by: z.enum(['app', 'model']).optional(),
      /** The modelled method. */
      model: z.string().optional(),
    }),
  ),
  /** What of all this an analyst should know, equal ones once; absent in reports of before. */
  findings: z.array(findingSchema).optional(),
  /** Whom the app spoke to; absent in reports of before. */
  indicators: indicatorsSchema.optional(),
  /** Names of the limits that ended or shortened the run. */
  limits: z.array(z.string()),
  engine: z.object({
    version: z.number(),
    /** Dalvik instructions that were run. */
    instructions: z.number(),
    wall_ms: z.number(),
    virtual_seconds: z.number(),
    /** `device`: a connected device ran it, and tells less; absent: the interpreter did. */
    source: z.literal('device').optional(),
    device: z.object({ serial: z.string(), android_version: z.string() }).optional(),
  }),
});
export type DynamicReport = z.infer<typeof dynamicReportSchema>;

/** What the time line tells of; reports that were stored before may hold others. */
export type EventCategory =
  | 'accessibility'
  | 'call'
  | 'camera'
  | 'clipboard'
  | 'code'
  | 'command'
  | 'component'
  | 'content'
  | 'device-admin'
  | 'dialog'
  | 'download'
  | 'evasion'
  | 'file'
  | 'install'
  | 'intent'
  | 'leak'
  | 'microphone'
  | 'network'
  | 'nfc'
  | 'notification'
  | 'overlay'
  | 'process'
  | 'screen'
  | 'settings'
  | 'shortcut'
  | 'sms'
  | 'sound'
  | 'system'
  | 'user'
  | 'wallpaper'
  | 'web';

type DynamicLists = {
  [K in keyof DynamicReport as DynamicReport[K] extends readonly unknown[] ? K : never]: DynamicReport[K];
};

/** All lists of a dynamic report, each of them empty. */
export const emptyDynamicLists = (): DynamicLists =>
  Object.fromEntries(
    Object.entries(dynamicReportSchema.shape).flatMap(([name, schema]) =>
      schema instanceof z.ZodArray ? [[name, []]] : [],
    ),
  ) as unknown as DynamicLists;

/** One entry of the APK's archive. */
export const archiveEntrySchema = z.object({
  name: z.string(),
  size: z.number(),
  compressed_size: z.number(),
  method: z.string(),
  /** Upper-case hex, as the directory declares it. */
  crc32: z.string(),
  /** By content: `dex`, `axml`, `elf`, `png`, `apk` … */
  type: z.string(),
  sha256: z.string().nullable(),
});
export type ArchiveEntryRecord = z.infer<typeof archiveEntrySchema>;

/** What a worker answers to a dynamic analysis. */
export interface DynamicResult {
  dynamic: DynamicReport;
  cuckoo: CuckooParts;
  /** The bytes of the report's artefacts, with each way that they came. */
  artefacts: (Omit<ChildWay, 'origin'> & { sha256: string; bytes: Uint8Array })[];
  findings: Finding[];
  /** Milliseconds of wall clock by stage. */
  timings: Record<string, number>;
}

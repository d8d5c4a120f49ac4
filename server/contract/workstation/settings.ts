// The workstation's settings, their types and defaults, and the table of limits, as the owner edits them. Imports zod only.
import { z } from 'zod';
import { eachOf, formBooleanSchema } from '../list.ts';
import { limitNames } from '../people/account.ts';
import { apiGroups } from '../people/analyst.ts';

const onOff = (value: boolean) => formBooleanSchema.default(value);
/** A line that can stand in a header: no line break, no other control character. */
const line = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'One line without control characters.');
/** Names of network interfaces on all platforms (`eth0`, `Ethernet 2`); what has digits and dots alone is no name. */
const interfaceName = /^(?=.*\p{L})[\p{L}\p{N}][\p{L}\p{N} ._@()*#-]{0,63}$/u;

export const settingSchemas = {
  /**
   * Uploads through a link of `get_upload_url` without a token. Until it is set it is on where the workstation is not
   * shared; switching sharing on takes an earlier yes back.
   */
  anonymous_upload: onOff(true),
  /**
   * Callers without a token see public rulesets with their authors, and whether an APK is held. Closed, they learn
   * nothing; what they may upload is taken without a word about it.
   */
  open_to_guests: onOff(true),
  /** Bytes. */
  upload_max_bytes: z.coerce
    .number()
    .int()
    .positive()
    .default(2 * 1024 ** 3),
  /** Nothing is analysed, nor taken in, unless the system's wall around workers was measured and holds. */
  require_isolation: onOff(false),
  analyze_static_on_upload: onOff(true),
  analyze_yara_on_upload: onOff(true),
  analyze_dynamic_on_upload: onOff(true),
  /** The community has detected an APK whose rating is this or lower. */
  detection_rating: z.coerce.number().int().max(-1).default(-3),
  /**
   * Texts in the files of all APKs are indexed, so that hunts read only APKs that rules can match. Takes some 6 to 12 % of the
   * APKs' size on the disk; off, the index is thrown away.
   */
  content_index: onOff(true),
  /** Tried, before `infected`, on locked archives that are taken in. */
  archive_passwords: z.array(line(200).min(1)).max(20).default([]),
  /** Stands at the top of reports for people: a PNG or JPEG picture as a data URL. Empty: none. */
  report_logo: z
    .union([
      z.literal(''),
      z
        .string()
        .max(400_000)
        .regex(
          /^data:image\/(?:png;base64,iVBORw0KGgo|jpeg;base64,\/9j\/)[A-Za-z0-9+/]*={0,2}$/,
          'A PNG or JPEG picture.',
        ),
    ])
    .default(''),
  /** How long the rules of a changed ruleset wait before analyses use them. */
  ruleset_delay_minutes: z.coerce.number().int().min(0).max(1440).default(0),

  /** ClamAV, which scans every incoming APK where it is on: a running daemon, or a program that is started for each. */
  antivirus: z.enum(['off', 'clamd', 'clamscan']).default('off'),
  /** Where `clamd` listens: the path of its local socket, or `host:port`. */
  antivirus_address: z
    .string()
    .max(300)
    .regex(/^(?:\/[^\u0000-\u001f\u007f]+|(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):\d{1,5})$/, 'A path or host:port.')
    .default('/run/clamav/clamd.ctl'),
  /** The program `clamscan`: its name, or where it lies. */
  antivirus_program: z
    .string()
    .max(500)
    .regex(/^(?:[^\u0000-\u001f\u007f]*[/\\])?clamscan(?:\.exe)?$/, 'clamscan, or a path that ends with it.')
    .default('clamscan'),
  /** File or folder of signatures for `clamscan`. Empty: its own. */
  antivirus_database: line(500).default(''),
  /** How long the scan of one APK may take. */
  antivirus_timeout_seconds: z.coerce.number().int().min(1).max(3600).default(300),

  /** Where the adb server of this machine listens, usually `127.0.0.1:5037`. Empty: devices are left alone. */
  device_address: z
    .union([
      z.literal(''),
      z.string().regex(/^(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/, 'host:port of this machine.'),
    ])
    .default(''),

  /** Serves teammates on the network, with TLS by this machine's own authority. */
  sharing: onOff(false),
  /** Network interfaces (`eth0`) or addresses of this machine to serve on. Empty: each address it has on a network. */
  sharing_addresses: z
    .array(z.union([z.ipv4(), z.ipv6(), z.string().regex(interfaceName, 'An interface, an IPv4 or an IPv6 address.')]))
    .max(100)
    .default([]),
  sharing_port: z.coerce.number().int().min(1).max(65_535).default(8466),
  /** Serves teammates without TLS: whoever listens on the network reads tokens, passwords and APKs. */
  sharing_plain_http: onOff(false),
  /** Announces the workstation on the network by mDNS (RFC 6763) while it is shared. */
  sharing_announce: onOff(false),
  /** Further names under which the workstation is reached, such as that of a proxy before it. */
  allowed_hosts: z
    .array(z.string().regex(/^[A-Za-z0-9._-]{1,253}$/, 'A host name.'))
    .max(100)
    .default([]),
  /** Proxies before the workstation, as addresses or networks (`10.0.0.0/8`), whose word on who asks is heeded. */
  trusted_proxies: z
    .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'An IP address, or a network such as 10.0.0.0/8.'))
    .max(100)
    .default([]),

  /** The Redis (or Valkey) through which other machines analyse; without TLS only on this machine. Empty: none do. */
  lab_redis_url: z
    .union([
      z.literal(''),
      z
        .string()
        .max(300)
        .regex(
          /^(?:redis:\/\/(?:127\.0\.0\.1|localhost|\[::1\])|rediss:\/\/(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+))(?::\d{1,5})?\/?$/,
          'rediss://host:port, or redis://127.0.0.1:port of this machine.',
        ),
    ])
    .default(''),
  /** An account of Redis that may make others, which machines get. Empty: its default one. */
  lab_redis_user: line(300).default(''),
  lab_redis_password: line(1000).default(''),
  /** This machine analyses too while others are there. */
  lab_analyses_here: onOff(true),

  /** Answers Prometheus at `/metrics`, by a token of the owner. */
  metrics: onOff(false),

  /** A session ends when nobody has used it for so long. 0: only with its life. Tokens of programs are not touched. */
  session_idle_minutes: z.coerce.number().int().min(0).max(43_200).default(720),
  /** A session ends so many days after the log-in, however it is used. */
  session_days: z.coerce.number().int().min(1).max(365).default(14),

  /** A folder on another drive or machine that gets a backup by schedule. Empty: none does. */
  backup_folder: z
    .union([
      z.literal(''),
      z
        .string()
        .max(1000)
        .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\u0000-\u001f\u007f]*$/, 'The whole path of a folder.'),
    ])
    .default(''),
  /** Hours from one backup by schedule to the next. */
  backup_hours: z.coerce.number().int().min(1).max(720).default(24),
  /** Bytes of the disk that uploads, analyses, feeds and backups leave free, so that the database can always write. 0: none. */
  disk_reserve_bytes: z.coerce.number().int().min(0).default(500_000_000),
  /** APKs older than this are deleted with their reports, hour by hour. 0: none ever is. */
  retention_days: z.coerce.number().int().min(0).max(36_500).default(0),
  /** Deletes also APKs that somebody has commented, voted on or judged, or that rules match. */
  retention_includes_engaged: onOff(false),
  /** So many days deleted APKs and rulesets can be brought back; when the disk fills they go sooner, the oldest first. 0: never. */
  trash_days: z.coerce.number().int().min(0).max(3650).default(30),
  /** How long the audit log is kept. */
  audit_days: z.coerce.number().int().min(1).max(3650).default(365),

  /** Where others reach the workstation; links in e-mails begin with it. Empty: the address that it listens at. */
  public_url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default(''),

  /** The mail server. Empty: no e-mail is sent. */
  smtp_host: z
    .union([z.literal(''), z.string().regex(/^[A-Za-z0-9._:-]{1,253}$/, 'A host name or address.')])
    .default(''),
  smtp_port: z.coerce.number().int().min(1).max(65_535).default(587),
  /** TLS from the first byte (port 465). Otherwise STARTTLS where the server offers it. */
  smtp_secure: onOff(false),
  /** Empty: no log-in. */
  smtp_user: line(300).default(''),
  smtp_password: line(1000).default(''),
  /** The sender, `name@host` or `Some name <name@host>`. Empty: `apk-workstation@` the mail server's host. */
  smtp_from: line(300).default(''),
} as const;

export type SettingName = keyof typeof settingSchemas;

/** Passwords are never shown. */
export const settingsSchema = z
  .object(settingSchemas)
  .omit({ smtp_password: true, lab_redis_password: true })
  .extend({ is_smtp_password_set: z.boolean(), is_lab_redis_password_set: z.boolean() });
export type Settings = z.infer<typeof settingsSchema>;

type ChangeSchemas = {
  [Name in SettingName]: z.ZodOptional<z.ZodNullable<ReturnType<(typeof settingSchemas)[Name]['unwrap']>>>;
};

/** Any subset; null brings a setting back to its default. */
export const settingChangesSchema = z.object(
  Object.fromEntries(
    Object.entries(settingSchemas).map(([name, schema]) => [name, schema.unwrap().nullable().optional()]),
  ) as unknown as ChangeSchemas,
);
export type SettingChangesBody = z.infer<typeof settingChangesSchema>;

/** Every limit that is counted; `analysts` is the older API's own and stands in no account's statistics. */
export const countedLimitNames = [...limitNames, 'analysts'] as const;
export type CountedLimitName = (typeof countedLimitNames)[number];

const limitSchema = z.string().regex(/^\d{1,9}\/(day|min)$/, 'An amount and a unit: 500/day or 60/min.');

/** Limits by group and name, `<amount>/<unit>`. */
export const limitTableSchema = eachOf(apiGroups, eachOf(countedLimitNames, limitSchema));
export type LimitTable = z.infer<typeof limitTableSchema>;

/** Any subset. */
export const limitChangesSchema = z.partialRecord(
  z.enum(apiGroups),
  z.partialRecord(z.enum(countedLimitNames), limitSchema),
);
export type LimitChangesBody = z.infer<typeof limitChangesSchema>;

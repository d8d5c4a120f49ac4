// Families: APKs whose own code is much the same, as people name, split and merge them. Imports zod only.
import { z } from 'zod';
import { riskSchema } from '../findings/risk.ts';
import {
  eachOf,
  filterSchema,
  formBooleanSchema,
  pageSchema,
  publicIdSchema,
  sha256Schema,
  timestampSchema,
  urlSchema,
} from '../list.ts';
import { apkReferenceSchema, apkSchema } from './apk.ts';
import { newVerdictSchema } from './verdict.ts';

/** What members are compared by: each a list of names. Strings are some that own code loads and hardly any other APK has. */
export const familyParts = [
  'packages',
  'certificates',
  'permissions',
  'hosts',
  'urls',
  'strings',
  'trackers',
  'libraries',
  'activities',
  'services',
  'receivers',
  'providers',
  'apis',
  'findings',
  'techniques',
] as const;
export type FamilyPart = (typeof familyParts)[number];

/** Names that are listed of each part. */
export const maxFamilyTraits = 50;
/** Members that are looked at for what all share: the newest and the oldest. */
export const maxComparedMembers = 100;
/** APKs that are added or split off at once. */
const maxMovedMembers = 1000;

export const familySchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  /** What people named it, else what is proposed, else "Family" and a number. Never empty. */
  name: z.string(),
  is_named: z.boolean().describe('People named it; else its name is a proposal'),
  is_confirmed: z
    .boolean()
    .describe('People named, judged, split or edited it: nothing merges it with another such one'),
  note: z.string(),
  apks_count: z.int().nonnegative(),
  /** The mean of its members'; null: none has one. */
  risk: riskSchema.nullable(),
  /** When the first and the last member came into the catalogue; null: it has none now. */
  first_seen_at: timestampSchema.nullable(),
  last_seen_at: timestampSchema.nullable(),
  newest: apkReferenceSchema.nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Family = z.infer<typeof familySchema>;

export const familyOrders = ['-last_seen_at', '-apks_count', '-risk'] as const;
export type FamilyOrder = (typeof familyOrders)[number];

export const familyListSchema = pageSchema(familySchema);
export const familyListQuerySchema = z.object({
  search: z.string().max(100).optional().describe('A part of the name or the note'),
  ordering: filterSchema(z.enum(familyOrders)).describe('`-last_seen_at` by default'),
  is_confirmed: filterSchema(formBooleanSchema),
});

/** Where a proposed name comes from, the most telling first. */
export const nameSources = ['verdict', 'list', 'antivirus', 'rule', 'app', 'package', 'string'] as const;
export type NameSource = (typeof nameSources)[number];

export const proposedNameSchema = z.object({
  name: z.string(),
  source: z.enum(nameSources),
  /** "4 of 5 members have it in their verdict" */
  reason: z.string(),
});
export type ProposedName = z.infer<typeof proposedNameSchema>;

export const familyTraitsSchema = z.object({
  /** Of all, however many are listed. */
  shared_count: z.int().nonnegative(),
  /** What every member has. */
  shared: z.array(z.string()).max(maxFamilyTraits),
  varying_count: z.int().nonnegative(),
  /** What some have, the rarest first. */
  varying: z.array(z.object({ name: z.string(), apks_count: z.int().positive() })).max(maxFamilyTraits),
});
export type FamilyTraits = z.infer<typeof familyTraitsSchema>;

export const familyDetailSchema = familySchema.extend({
  proposed_names: z.array(proposedNameSchema),
  /** How many members came, by day, or by month where they came in more than 90 days; days and months without any are left out. */
  over_time: z.array(z.object({ from: z.iso.date(), apks_count: z.int().positive() })),
  /** Members that were compared: of large families the newest and the oldest; those without a report are left out. */
  compared_count: z.int().nonnegative(),
  /** Different methods of the members' own code; null: of none it was read. */
  methods: z
    .object({
      /** What all compared members have. */
      shared: z.int().nonnegative(),
      least: z.int().nonnegative(),
      most: z.int().nonnegative(),
      /** Of large apps the shared ones are estimated. */
      is_estimated: z.boolean(),
    })
    .nullable(),
  traits: eachOf(familyParts, familyTraitsSchema),
});
export type FamilyDetail = z.infer<typeof familyDetailSchema>;

const familyMemberSchema = z.object({
  apk: apkSchema,
  is_fixed: z.boolean().describe('People put it there'),
});
export const familyMembersSchema = pageSchema(familyMemberSchema);

const line = z
  .string()
  .trim()
  .max(100)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'A name has no control characters.');

export const familyChangesSchema = z.object({
  name: line.optional().describe('An empty one brings the proposed name back'),
  note: z.string().trim().max(2000).optional(),
});

const apks = z.array(z.string().toLowerCase().pipe(sha256Schema)).min(1).max(maxMovedMembers);

export const newFamilySchema = z.object({ apks, name: line.default('') });
export const familyApksSchema = z.object({ apks });
export const familySplitSchema = z.object({ apks, name: line.default('').describe('Of the new family') });
export const familyMergeSchema = z.object({ family: z.string().describe('The id of the one that goes') });

export const familyActionKinds = ['create', 'edit', 'add', 'remove', 'split', 'merge', 'judge'] as const;
export type FamilyActionKind = (typeof familyActionKinds)[number];

/** What people did with a family. */
export const familyActionSchema = z.object({
  id: publicIdSchema,
  kind: z.enum(familyActionKinds),
  /** "Merged with Anubis: 12 APKs" */
  description: z.string(),
  /** The other one of a split or a merge. */
  other: z.object({ id: publicIdSchema, url: urlSchema, name: z.string() }).nullable(),
  /** Username, as it was then. */
  analyst: z.string(),
  created_at: timestampSchema,
  /** Username of who undid it; null: it holds. */
  undone_by: z.string().nullable(),
  undone_at: timestampSchema.nullable(),
});
export type FamilyAction = z.infer<typeof familyActionSchema>;
export const familyActionsSchema = pageSchema(familyActionSchema);
export const familyUndoSchema = z.object({ action: z.string().describe('The id of what is undone') });

/** As the verdict on an APK; the family's own name where none is given to what is malicious or suspicious. */
export const familyVerdictSchema = newVerdictSchema.required({ verdict: true });

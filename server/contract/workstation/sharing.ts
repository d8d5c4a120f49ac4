// How the workstation is shared on the network: its addresses, its certificate, invitations. Imports zod only.
import { z } from 'zod';
import { publicIdSchema, timestampSchema, urlSchema, wholeListSchema } from '../list.ts';
import { apiGroups, usernameSchema } from '../people/analyst.ts';

export const sharingSchema = z.object({
  is_on: z.boolean(),
  is_tls: z.boolean(),
  /** One for each address that is served; `error` says why it is not. */
  listeners: z.array(z.object({ address: z.string(), url: urlSchema, error: z.string().nullable() })),
  /** The machine's addresses on networks, to choose from. */
  interfaces: z.array(z.object({ name: z.string(), address: z.string() })),
  /** SHA-256 of the authority's certificate, which `/ca.crt` serves: upper-case hex with colons. */
  authority_fingerprint: z.string(),
  /** Later than now where the machine's clock is behind, or was ahead when the authority was made. */
  authority_begins_at: timestampSchema.nullable(),
  authority_expires_at: timestampSchema.nullable(),
  /** The authority before, while who trusts only that one is still served; then they need the one of `/ca.crt`. */
  former_authority: z.object({ fingerprint: z.string(), expires_at: timestampSchema }).nullable(),
  /** Made by an earlier version: whoever steals its key can vouch for every name there is, for ten years. */
  is_authority_unbounded: z.boolean(),
  /** Names and addresses for which the authority may not vouch; another authority would be made for them. */
  names_without_certificate: z.array(z.string()),
  /** SHA-256 of the server's certificate; null while nothing is served with TLS. */
  certificate_fingerprint: z.string().nullable(),
  certificate_expires_at: timestampSchema.nullable(),
  /** Why nothing is served although it should be. */
  error: z.string().nullable(),
});
export type SharingBody = z.infer<typeof sharingSchema>;

/** Invites somebody: makes the account where there is none of this name. */
export const newInvitationSchema = z.object({
  username: usernameSchema,
  api_group: z.enum(apiGroups).optional(),
  /** How long the link opens the account, 7 days by default. */
  hours: z.coerce.number().int().min(1).max(720).optional(),
});

const invitationSchema = z.object({
  id: publicIdSchema,
  username: z.string(),
  created_at: timestampSchema,
  expires_at: timestampSchema,
  used_at: timestampSchema.nullable(),
});
export const invitationListSchema = wholeListSchema(invitationSchema);

/** The link is shown this once; it logs in once. */
export const createdInvitationSchema = invitationSchema.extend({ invitation_url: urlSchema });

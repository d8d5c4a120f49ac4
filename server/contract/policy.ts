// What only some accounts may do, by name. Who they are stands in the services' policies. Imports nothing.

export const actions = [
  /** Mark an APK as trusted or not. */
  'apk.trust',
  'apk.delete',
  /** Decide whether a ruleset becomes social. */
  'ruleset.judge',
  /** Change and delete comments that others wrote. */
  'comments.moderate',
  /** Analyse everything again whose report an older engine wrote. */
  'analyses.renew',
  /** See and cancel jobs that others asked for. */
  'jobs.all',
  'analysts.create',
  /** Import and delete lists of known files and signers. */
  'lists.manage',
  /** Import and remove libraries. */
  'libraries.manage',
  /** Import, update, switch and remove packages of rulesets. */
  'rule-packages.manage',
  /** Take another name: those of others are given by the owner. */
  'account.rename',
  /** Role, group, expert mark, being disabled, the password and the second factor of others. */
  'analysts.administer',
  /** Settings of the workstation, limits of the groups, what holds workers. */
  'settings.manage',
  /** See what is installed on connected devices, import it, run APKs on them. */
  'devices.use',
  /** Have folders of the workstation's machine watched. */
  'folders.watch',
  /** Share the workstation on the network, invite teammates. */
  'sharing.manage',
  'audit.read',
  /** Look at the disk, make and delete backups. */
  'storage.manage',
  /** Fetch the packages of the feed. */
  'feed.read',
] as const;
export type Action = (typeof actions)[number];

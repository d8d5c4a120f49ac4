// The settings of the workstation in their current shape.
import type { Settings } from '../../contract/workstation/settings.ts';
import type { ShownSettings } from '../../services/settings.ts';

export const presentSettings = ({ hasSmtpPassword, hasLabRedisPassword, ...shown }: ShownSettings): Settings => ({
  ...shown,
  is_smtp_password_set: hasSmtpPassword,
  is_lab_redis_password_set: hasLabRedisPassword,
});

// Names of the framework's attributes by resource id. Knows nothing of their values.
import attributes from '../../../../resources/android-attributes.json' with { type: 'json' };

const names: readonly string[] = attributes.names;
const firstId = 0x01010000;

/** The name of a framework attribute without its `android:`, null for any other id. */
export function androidAttributeName(id: number): string | null {
  return id >>> 16 === firstId >>> 16 ? names[id & 0xffff] || null : null;
}

// Loaded into a YARA worker before its confinement, which lets no addon in any more. Knows only that there may be one.
import { openNativeEngine } from './native-engine.ts';

openNativeEngine();

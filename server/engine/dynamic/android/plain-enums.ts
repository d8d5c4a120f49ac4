// Enums of the framework with their constants in Android's order: apps switch over them by their numbers. Knows no behaviour.
import { enumModel } from '../java/lang/enum.ts';
import type { Models } from '../machine/model.ts';

/** Constants by class. */
const enums: Readonly<Record<string, string>> = {
  'android/widget/ImageView$ScaleType': 'MATRIX FIT_XY FIT_START FIT_CENTER FIT_END CENTER CENTER_CROP CENTER_INSIDE',
  'android/text/TextUtils$TruncateAt': 'START MIDDLE END MARQUEE END_SMALL',
  'android/text/Layout$Alignment': 'ALIGN_NORMAL ALIGN_OPPOSITE ALIGN_CENTER ALIGN_LEFT ALIGN_RIGHT',
  'android/widget/TextView$BufferType': 'NORMAL SPANNABLE EDITABLE',
  'android/graphics/Paint$Style': 'FILL STROKE FILL_AND_STROKE',
  'android/graphics/Paint$Cap': 'BUTT ROUND SQUARE',
  'android/graphics/Paint$Join': 'MITER ROUND BEVEL',
  'android/graphics/Paint$Align': 'LEFT CENTER RIGHT',
  'android/graphics/Path$Direction': 'CW CCW',
  'android/graphics/Path$FillType': 'WINDING EVEN_ODD INVERSE_WINDING INVERSE_EVEN_ODD',
  'android/graphics/Shader$TileMode': 'CLAMP REPEAT MIRROR DECAL',
  'android/graphics/Matrix$ScaleToFit': 'FILL START CENTER END',
  'android/graphics/Region$Op': 'DIFFERENCE INTERSECT UNION XOR REVERSE_DIFFERENCE REPLACE',
  'android/graphics/PorterDuff$Mode':
    'CLEAR SRC DST SRC_OVER DST_OVER SRC_IN DST_IN SRC_OUT DST_OUT SRC_ATOP DST_ATOP XOR DARKEN LIGHTEN MULTIPLY SCREEN ADD OVERLAY',
  'android/graphics/BlurMaskFilter$Blur': 'NORMAL SOLID OUTER INNER',
  'android/graphics/drawable/GradientDrawable$Orientation':
    'TOP_BOTTOM TR_BL RIGHT_LEFT BR_TL BOTTOM_TOP BL_TR LEFT_RIGHT TL_BR',
  'android/net/wifi/SupplicantState':
    'DISCONNECTED INTERFACE_DISABLED INACTIVE SCANNING AUTHENTICATING ASSOCIATING ASSOCIATED FOUR_WAY_HANDSHAKE GROUP_HANDSHAKE COMPLETED DORMANT UNINITIALIZED INVALID',
  'android/webkit/WebSettings$LayoutAlgorithm': 'NORMAL SINGLE_COLUMN NARROW_COLUMNS TEXT_AUTOSIZING',
  'android/webkit/WebSettings$PluginState': 'ON ON_DEMAND OFF',
  'android/webkit/WebSettings$RenderPriority': 'NORMAL HIGH LOW',
  'android/webkit/ConsoleMessage$MessageLevel': 'TIP LOG WARNING ERROR DEBUG',
  'android/util/Xml$Encoding': 'US_ASCII UTF_8 UTF_16 ISO_8859_1',
  'android/util/JsonToken':
    'BEGIN_ARRAY END_ARRAY BEGIN_OBJECT END_OBJECT NAME STRING NUMBER BOOLEAN NULL END_DOCUMENT',
};

export const plainEnumModels: Models = Object.fromEntries(
  Object.entries(enums).map(([name, constants]) => [`L${name};`, enumModel(`L${name};`, constants.split(' '))]),
);

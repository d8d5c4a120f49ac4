// Classes of the framework that only need to stand in the right place of the hierarchy, so that what apps build on them
// behaves as their superclass does. Knows no behaviour.
import type { Models } from '../machine/model.ts';

/** Class and superclass. */
const subclasses: readonly (readonly [name: string, superclass: string])[] = [
  ['android/content/SearchRecentSuggestionsProvider', 'android/content/ContentProvider'],
  ['android/provider/DocumentsProvider', 'android/content/ContentProvider'],
  ['android/test/mock/MockContentProvider', 'android/content/ContentProvider'],
  ['android/app/LauncherActivity', 'android/app/ListActivity'],
  ['android/app/ActivityGroup', 'android/app/Activity'],
  ['android/widget/HeaderViewListAdapter', 'android/widget/BaseAdapter'],
  ['android/widget/StackView', 'android/widget/AdapterView'],
  ['android/widget/ActionMenuView', 'android/widget/LinearLayout'],
  ['android/view/TextureView', 'android/view/View'],
  ['android/inputmethodservice/KeyboardView', 'android/view/View'],
  ['android/gesture/GestureOverlayView', 'android/widget/FrameLayout'],
  ['android/appwidget/AppWidgetHostView', 'android/widget/FrameLayout'],
  ['android/app/DatePickerDialog', 'android/app/AlertDialog'],
  ['android/app/TimePickerDialog', 'android/app/AlertDialog'],
  ['android/service/dreams/DreamService', 'android/app/Service'],
  ['android/telecom/InCallService', 'android/app/Service'],
  ['android/telecom/ConnectionService', 'android/app/Service'],
  ['android/service/quicksettings/TileService', 'android/app/Service'],
  ['android/speech/RecognitionService', 'android/app/Service'],
  ['android/print/PrintService', 'android/app/Service'],
  ['android/location/LocationProvider', 'java/lang/Object'],
  ['android/app/backup/BackupAgent', 'android/content/ContextWrapper'],
  ['android/app/backup/BackupAgentHelper', 'android/app/backup/BackupAgent'],
  ['android/text/method/PasswordTransformationMethod', 'java/lang/Object'],
  ['android/graphics/drawable/BitmapDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/ColorDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/GradientDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/LayerDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/StateListDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/AnimationDrawable', 'android/graphics/drawable/Drawable'],
  ['android/graphics/drawable/ShapeDrawable', 'android/graphics/drawable/Drawable'],
];

const descriptor = (name: string): string => `L${name};`;

export const plainSubclassModels: Models = Object.fromEntries(
  subclasses.map(([name, superclass]) => [descriptor(name), { extends: descriptor(superclass) }]),
);

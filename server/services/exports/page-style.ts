// The style sheet of pages about APKs: light, dark, and on paper. Knows no APK.
export const pageStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1.5rem; color: light-dark(#1a1c1e, #e6e7e9); background: light-dark(#fff, #16181b); }
header { display: flex; gap: 1rem; align-items: center; }
header img { width: 64px; height: 64px; object-fit: contain; }
.logo { max-width: 16rem; max-height: 5rem; }
h1 { margin: 0; font-size: 1.6rem; overflow-wrap: anywhere; }
h2 { margin: 1.8rem 0 .5rem; font-size: 1.15rem; border-bottom: 1px solid light-dark(#d5d8dc, #3a3f45); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; overflow-wrap: anywhere; }
th, td:first-child { overflow-wrap: normal; }
th { font-weight: 600; }
dl { display: grid; grid-template-columns: 9rem 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: light-dark(#54595f, #a8adb4); }
dd { margin: 0; overflow-wrap: anywhere; }
code { font-size: 13px; overflow-wrap: anywhere; }
p.text { white-space: pre-wrap; overflow-wrap: anywhere; }
small { color: light-dark(#54595f, #a8adb4); }
.tlp { display: inline-block; padding: .1rem .5rem; font-weight: 700; color: #fff; background: #000; }
.tlp-green { color: #33ff00; }
.tlp-amber { color: #ffc000; }
.tlp-red { color: #ff2b2b; }
@media print {
  :root { color-scheme: light; font-size: 11px; }
  body { margin: 0; max-width: none; padding: 0; }
  .tlp { print-color-adjust: exact; }
  thead { display: table-header-group; }
  tr, dl { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;

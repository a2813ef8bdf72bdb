/// One self-contained HTML file around a `<main>` element: the frame and the style that all pages share.
///
/// It needs no script and nothing from another host, which its content security policy forbids as well. It follows the
/// colour scheme of the screen, is readable at 320 px without scrolling sideways, on paper and by a screen reader, and
/// moves nothing. Source: HTML Living Standard; Content Security Policy Level 3.
package enum HTMLDocument {
    /// The whole file of a title, a `<main>` element, the line at the end, and the style that this document has for itself.
    package static func html(title: String, main: Markup, footer: String, style addedStyle: String = "") -> String {
        frame(
            title: title, policy: "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\"/>\n",
            head: "<style>\(Markup(of: style + addedStyle))</style>", body: "\(main)\n<footer>\(footer)</footer>")
    }

    /// The whole file of a title, the rest of its head and its body; a server states its policy in a field instead.
    package static func frame(title: String, policy: Markup? = nil, head: Markup, body: Markup) -> String {
        let page: Markup = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            \(policy)<meta name="color-scheme" content="light dark"/>
            <title>\(title)</title>
            \(head)
            </head>
            <body>
            \(body)
            </body>
            </html>

            """
        return page.text
    }

    /// Nothing but the document's own style is loaded or run, and no form is sent.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

    /// The style of all pages.
    ///
    /// Every pair of a text and its ground has the contrast that WCAG 2.2 asks for at level AA, in both schemes; what a
    /// colour says, a sign or a word says too.
    package static let style = """
        :root{color-scheme:light dark;--ground:#f3f4f6;--paper:#fff;--ink:#1b1f24;--faint:#545c66;--line:#d8dde3;\
        --good:#00664c;--doubtful:#854900;--bad:#b00020;--link:#0a58b5;--code:#eef1f4;\
        --good-tint:#e3f4ed;--doubtful-tint:#fdf1de;--bad-tint:#fdeaec}\
        *{box-sizing:border-box}\
        body{font:16px/1.5 system-ui,"DejaVu Sans",sans-serif;margin:0 auto;padding:clamp(12px,3vw,32px);max-width:84rem;\
        color:var(--ink);background:var(--ground);overflow-wrap:anywhere}\
        h1,h2,h3,p,ul,ol,table{margin:0;padding:0}h1{font-size:1.6rem;line-height:1.2}h2{font-size:1.15rem}\
        h3{font-size:1rem}ul,ol{list-style:none}a{color:var(--link)}\
        .meta,.key,.note,figcaption,footer,small,caption{font-size:.85rem;color:var(--faint)}\
        .key,code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.85rem}\
        .tally{display:inline-block;margin-top:.7rem;padding:.4rem 1rem;border-radius:.5rem;border:1px solid;font-size:1.2rem;font-weight:600}\
        .good,.bad,.doubtful,.warning,.undetermined{font-weight:600}\
        .good{color:var(--good)}.bad{color:var(--bad)}.doubtful,.warning,.undetermined{color:var(--doubtful)}\
        .tally.good{background:var(--good-tint)}.tally.bad{background:var(--bad-tint)}.tally.doubtful{background:var(--doubtful-tint)}\
        section{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:1rem clamp(.75rem,2vw,1.5rem);margin-top:1rem}\
        section>h2{margin-bottom:.5rem}footer{margin-top:1.2rem}\
        table{border-collapse:collapse;width:100%;font-size:.94rem}caption{text-align:left;padding-bottom:.35rem}\
        th,td{text-align:left;vertical-align:top;padding:.4rem .9rem .4rem 0;border-top:1px solid var(--line);min-width:6.5rem}\
        th:first-child{min-width:11rem}td:last-child{width:55%}\
        thead th{font-size:.8rem;font-weight:600;color:var(--faint);border-top:0}tbody th{font-weight:600}\
        .sub th:first-child{padding-left:1.5rem;font-weight:400}\
        td small,th small{display:block;font-weight:400}\
        .steps{margin-top:.4rem;display:grid;gap:.4rem}\
        .command{display:block;white-space:pre-wrap;background:var(--code);border:1px solid var(--line);border-radius:.4rem;\
        padding:.45rem .7rem;user-select:all;-webkit-user-select:all}.steps small{display:block}\
        .causes>li{padding:.8rem 0;border-top:1px solid var(--line)}.causes>li:first-child{border-top:0;padding-top:0}\
        .causes>li:last-child{padding-bottom:0}.list li{padding:.2rem 0}\
        a:focus-visible{outline:3px solid var(--link);outline-offset:2px}\
        @media screen and (min-width:70rem){.sides{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:1rem;\
        align-items:start}}\
        @media (min-width:44.01rem){.verdict{white-space:nowrap}}\
        @media screen and (max-width:44rem){.stack,.stack caption,.stack tbody{display:block}\
        .stack thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
        .stack tr{display:flex;flex-wrap:wrap;column-gap:.8rem;border-top:1px solid var(--line);padding:.5rem 0}\
        .stack th,.stack td{display:block;border:0;padding:.05rem 0;min-width:0}.stack th{flex:1 0 45%}\
        .stack td:last-child{flex:1 0 100%;width:auto}.stack td:empty{display:none}\
        .stack .sub{padding-left:1.1rem}.stack .sub th{padding-left:0}}\
        @media screen and (prefers-color-scheme:dark){:root{--ground:#111418;--paper:#1a1e23;--ink:#e7e9ec;--faint:#a8b0ba;\
        --line:#343b44;--good:#56d3aa;--doubtful:#f3b65f;--bad:#ff8589;--link:#7db9ff;--code:#111418;\
        --good-tint:#12281f;--doubtful-tint:#2c2212;--bad-tint:#331a1d}}\
        @media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}\
        @media print{:root{color-scheme:light}body{font-size:9.5pt;padding:0;max-width:none;background:none}\
        section{border:0;padding:0;break-inside:auto}h2,h3,caption,thead{break-after:avoid}tr,.causes>li{break-inside:avoid}\
        .command{white-space:pre-wrap}}
        """
}

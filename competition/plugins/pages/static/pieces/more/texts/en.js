// The texts of pieces that the page of an exam does not load, in English.

export default {
  "mails.title": "Emails",
  "mails.language": "Language of your emails",
  "mails.league": "The league's language",
  "mails.use": "Use this language",
  "mails.saved": "Emails to you are in this language from now on.",

  "data.title": "Your data",
  "data.why": "You can get a file with a copy of the data that we store about you. Scores that are not published yet are not in it. We email you a link, which works for {span} and only while you stay signed in here.",
  "data.download": "Download my data",
  "data.sent": "We are collecting your data. You will get an email with a link. Stay signed in here until you have used it.",

  "list.found": { one: "One found", other: "{count} found" },
  "list.any": "Any",
  "list.clear": "Clear filters",
  "list.nothing": "Nothing matches these filters: {filters}.",
  "list.range": "{from} to {to} of {count}",
  "list.pages": "Pages of the list",
  "list.previous": "Previous page",
  "list.next": "Next page",
  "list.select": "Selection",
  "list.selectOne": "Select",
  "list.selected": { one: "One selected", other: "{count} selected" },
  "list.selectPage": "Select this page",
  "list.selectAll": "Select all {count}",
  "list.selectNone": "Select none",

  "each.failed": { one: "One could not be changed.", other: "{count} could not be changed." },
  "each.reason": "“{name}”: {reason}.",
  "each.progress": "{done} of {total} are done.",
  "each.tooMany": "Choose at most {count} at once.",

  "form.date": "Date",
  "form.time": "Time",
  "form.zone": "Time in {city}.",
  "form.here": "For you, that is {when}.",
  "form.large": { one: "The file is too large. It can have at most one MiB.", other: "The file is too large. It can have at most {count} MiB." },

  "charts.numbers": "Show the numbers",
  "charts.name": "Name",
  "charts.value": "Number",
  "charts.share": "Share",
  "charts.of": "{value} of {of}",
};

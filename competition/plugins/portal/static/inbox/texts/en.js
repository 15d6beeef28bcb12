// The English texts of the subject `inbox`.

export default {
  "inbox.markAll": { one: "Mark one as read", other: "Mark {count} as read" },
  "inbox.marked": { one: "One notification is marked as read.", other: "{count} notifications are marked as read." },
  "inbox.none": "You have no notifications yet. Messages of the league to you appear here.",
  "inbox.unread": "Unread ({count})",
  "inbox.allRead": "You have read everything. New notifications appear here immediately.",
  "inbox.markOne": "Mark as read",
  "inbox.more": { one: "There is one older unread notification.", other: "There are {count} older unread notifications." },
  "inbox.read": "Read",
  "inbox.message": "Notification",
  "inbox.when": "Received",
};

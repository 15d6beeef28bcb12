"""Former names of plugins and settings in ini files, and what to write instead.

If an ini file has such a name, the service does not start, and the error says what to write
instead. Without an entry here, the error would only say that there is no such plugin or setting.
"""

# Plugins that have become a part of another plugin, with the name of the other plugin.
PLUGINS = {
    "backups": "operations",
    "metrics": "operations",
    "records": "scores",
}
# Deleted settings: a sentence that says what to do instead, by the key of the setting.
SETTINGS: dict[str, str] = {
    "competition.accounts.otps_of_account": "Delete it: the rate is 10/day.",
    "competition.accounts.own_guesses": "Delete it: the rate is 5/day.",
    "competition.accounts.own_otp_rate": "Delete it: the rate is 1/10minute 5/day.",
    "competition.accounts.password_proofs": "Delete it: the rate is 5/hour.",
    "competition.accounts.school_names": "Delete it: the rate is 120/minute.",
    "competition.backups.report_rate": "Delete it: the rate is 60/minute.",
    "competition.clarifications.rate": "Delete it: the rate is 60/minute.",
    "competition.cors.max_age": "Delete it: browsers cache the permission for 2 hours.",
    "competition.database.max_overflow": "Delete it, or raise pool_size.",
    "competition.drafts.rate": "Delete it: the rate is 120/minute.",
    "competition.housekeeping.failed_job_days": "Delete it: failed jobs are retained for 90 days.",
    "competition.housekeeping.job_days": "Delete it: finished jobs are retained for 7 days.",
    "competition.housekeeping.mail_days": "Delete it: emails are retained for 90 days.",
    "competition.housekeeping.orphan_hours": "Delete it: objects without a row stay 24 hours.",
    "competition.housekeeping.session_days": "Delete it: ended sessions are retained for 30 days.",
    "competition.invigilation.rate": "Delete it: the rate is 60/minute.",
    "competition.jobs.backoff": "Delete it: a failed job is retried after 2 seconds.",
    "competition.jobs.backoff_limit": "Delete it: a job is retried after 10 minutes at most.",
    "competition.mail.attempts": "Delete it: an email is tried 10 times.",
    "competition.mail.backoff": "Delete it: a failed email is retried after 5 seconds.",
    "competition.mail.backoff_limit": "Delete it: an email is retried after 10 minutes at most.",
    "competition.pages.lookup_rates": "Delete it: the rate is 600/minute.",
    "competition.privacy.export_rate": "Delete it: the rate is 3/day.",
    "competition.second_factor.challenge_minutes": "Delete it: a login waits 5 minutes.",
    "competition.second_factor.challenge_tries": "Delete it: 5 wrong codes end a login.",
    "competition.second_factor.rate": "Delete it: the rate is 20/hour 50/day.",
    "competition.sittings.clock_rate": "Delete it: the rate is 120/minute.",
    "competition.sittings.submission_rate": "Delete it: the rate is 60/minute.",
    "competition.storage.free_disk": "Delete it: the service is degraded below 100 MiB.",
    "competition.storage.private_link_seconds": "Delete it: these links work for 300 seconds.",
    "competition.tokens.refresh_grace": "Delete it: the grace is 10 seconds.",
    "competition.ws.message_size": "Delete it: a message has at most 4096 bytes.",
    "competition.ws.messages_per_minute": "Delete it: a client may send 60 messages a minute.",
    "competition.ws.ticket": "Delete it: a ticket is valid for 30 seconds.",
}

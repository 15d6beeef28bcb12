-- PostgreSQL runs this file once, when compose.yaml creates its data. The service connects as a role of
-- its own, which owns its database and is no superuser: a stolen password opens neither the server nor
-- its files. tests/process runs this file.
\getenv password LEAGUE_PASSWORD
create role league login password :'password';
create database league owner league;
revoke connect on database league from public;

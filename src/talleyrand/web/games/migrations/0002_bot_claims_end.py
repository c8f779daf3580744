from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("games", "0001_tables")]

    # the last sign of life of a worker becomes the end of its claim: none goes on while tables change
    operations = [migrations.RenameField("gamebottask", "heartbeat_at", "claimed_until")]
